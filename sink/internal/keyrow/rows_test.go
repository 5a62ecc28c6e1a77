package keyrow

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func batch(texts ...string) (ms []outbox.Message) {
	for _, text := range texts { // "key destination"
		var m outbox.Message
		_, _ = fmt.Sscanf(text, "%s %s", &m.Key, &m.Destination)
		if m.Key == "-" {
			m.Key = ""
		}
		ms = append(ms, m)
	}
	return ms
}

// sent plays a batch whose message i fails with fail[i], and lists the rounds.
func sent(ms []outbox.Message, fail map[int]error) (rounds [][]int, errs []error) {
	errs = make([]error, len(ms))
	rows := Of(ms, errs, func(i int) string { return ms[i].Destination })
	rows.Rounds(errs, func(round []int) {
		rounds = append(rounds, slices.Clone(round))
		for _, i := range round {
			errs[i] = fail[i]
		}
	})
	return rounds, errs
}

func TestOnlyMessagesOfOneKeyAndDestinationWait(t *testing.T) {
	got, _ := sent(batch("a x", "- x", "a x", "b x", "- x", "a y", "a x"), nil)
	if want := "[[0 1 3 4 5] [2] [6]]"; fmt.Sprint(got) != want {
		t.Errorf("sent %v, want %s", got, want)
	}
}

func TestMessagesBehindAFailureAreNotSent(t *testing.T) {
	plain := errors.New("no")
	for _, c := range []struct {
		err  error
		sent string
		what func(error) bool
	}{
		{plain, "[[0 3]]", func(err error) bool { _, counted, ok := driver.RetryDelay(err); return ok && !counted }},
		{outbox.Unavailable(plain), "[[0 3]]", func(err error) bool { return outbox.IsUnavailable(err) && errors.Is(err, plain) }},
		{outbox.Unavailable(driver.Uncertain(plain)), "[[0 3]]", func(err error) bool { return outbox.IsUnavailable(err) && !driver.IsUncertain(err) }},
		{driver.Uncertain(plain), "[[0 3]]", func(err error) bool {
			_, counted, ok := driver.RetryDelay(err)
			return ok && !counted && !driver.IsUncertain(err)
		}},
		{outbox.Permanent(plain), "[[0 3] [1] [2]]", func(err error) bool { return err == nil }},
	} {
		got, errs := sent(batch("a x", "a x", "a x", "b x"), map[int]error{0: c.err})
		if fmt.Sprint(got) != c.sent {
			t.Errorf("%v: sent %v, want %s", c.err, got, c.sent)
		}
		if !c.what(errs[1]) || !c.what(errs[2]) || errs[3] != nil {
			t.Errorf("%v: answers %v", c.err, errs)
		}
	}
}

func TestAMessageThatHasAnErrorIsNotSent(t *testing.T) {
	ms, errs := batch("a x", "a x"), make([]error, 2)
	errs[0] = errors.New("no")
	rows := Of(ms, errs, func(int) string { return "x" })
	if fmt.Sprint(rows.Heads) != "[1]" || rows.After[1] != -1 {
		t.Errorf("%+v", rows)
	}
}
