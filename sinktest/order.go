package sinktest

import (
	"fmt"
	"slices"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func orderLaws() []Law {
	return []Law{
		{
			Name:  "messages of one key arrive in order",
			Why:   "an order that is paid before it is placed confuses every consumer",
			Check: check(keyOrder),
		},
		{
			Name:  "batches sent one after the other arrive in that order",
			Why:   "the next event of an aggregate is sent as soon as the one before it is acknowledged",
			Check: check(batchOrder),
		},
		{
			Name:    "a connection cut within a batch keeps the order of a key",
			Why:     "a later message that is delivered while an earlier one must be resent overtakes it",
			Applies: hasFaults,
			Check:   check(cutOrder),
		},
		{
			Name: "messages behind a refused one of their key are not sent and spend no attempt",
			Why: "a full server refuses a large message and accepts the small one after it, " +
				"which overtakes the first when that is resent",
			Applies: func(s Subject) bool { return s.Narrow != nil },
			Check:   check(refusedOrder),
		},
	}
}

func refusedOrder(k *kit) {
	destination, size, receive := k.Narrow(k.TB)
	large := withPayload(size)
	large.AggregateID = "a"
	ms := k.messagesTo(destination, event("a"), large, event("a"), event("a"), event("b"))
	errs := k.answers(k.ctx, ms)
	if errs[0] != nil || errs[4] != nil {
		k.Errorf("the messages not behind it: %v and %v, want them delivered", errs[0], errs[4])
	}
	if errs[1] == nil || outbox.IsPermanent(errs[1]) {
		k.Fatalf("the refused message: %v, want a failure that is retried", errs[1])
	}
	for _, err := range errs[2:4] {
		if _, counted, ok := driver.RetryDelay(err); !outbox.IsUnavailable(err) && (!ok || counted) {
			k.Errorf("a message behind it: %v, want one that spends no attempt", err)
		}
	}
	var got []string
	for _, a := range receive(2, patience) {
		got = append(got, a.EventID)
	}
	slices.Sort(got)
	if want := []string{ms[0].Event.ID, ms[4].Event.ID}; !slices.Equal(got, want) {
		k.Errorf("%q arrived, want %q", got, want)
	}
}

func cutOrder(k *kit) {
	var all []outbox.Message
	for _, n := range []int{1, 20_000, 60_000} {
		es := make([]outbox.Event, 60)
		for i := range es {
			es[i] = withPayload(2000)
		}
		ms := k.messages(es...)
		k.Faults.CutAfter(n)
		var left []outbox.Message
		for i, err := range k.within(brief, ms) {
			switch {
			case err != nil:
				k.unavailable(err)
				left = append(left, ms[i])
			case len(left) > 0:
				k.Fatalf("message %d was delivered, but %d before it were not", i, len(left))
			}
		}
		k.deliver(left)
		all = append(all, ms...)
	}
	k.atLeast(all)
	k.firstInOrder(all)
}

// firstInOrder checks that the messages first arrived in the order of ms;
// duplicates do not count.
func (k *kit) firstInOrder(ms []outbox.Message) {
	k.Helper()
	seen := map[string]bool{}
	var got []string
	for _, a := range k.Receive(len(ms), quiet) {
		if !seen[a.EventID] {
			seen[a.EventID] = true
			got = append(got, a.EventID)
		}
	}
	for i, m := range ms {
		if i >= len(got) || got[i] != m.Event.ID {
			k.Fatalf("message %d of %d was overtaken", i, len(ms))
		}
	}
}

func keyOrder(k *kit) {
	const keys, each = 7, 40
	var es []outbox.Event
	for range each {
		for key := range keys {
			es = append(es, event(fmt.Sprint("order-", key)))
		}
	}
	ms := k.messages(es...)
	k.send(ms)
	k.exactly(ms)
	k.inOrder(ms)
}

func batchOrder(k *kit) {
	var ms []outbox.Message
	for range 20 {
		batch := k.messages(events("order", 5)...)
		k.send(batch)
		ms = append(ms, batch...)
	}
	k.exactly(ms)
	k.inOrder(ms)
}

// inOrder checks that the messages of each key arrived in the order of ms.
func (k *kit) inOrder(ms []outbox.Message) {
	k.Helper()
	keys := map[string]string{}
	want, got := map[string][]string{}, map[string][]string{}
	for _, m := range ms {
		keys[m.Event.ID] = m.Key
		want[m.Key] = append(want[m.Key], m.Event.ID)
	}
	for _, a := range k.arrived(len(ms)) {
		key := keys[a.EventID]
		got[key] = append(got[key], a.EventID)
	}
	for key := range want {
		if !slices.Equal(got[key], want[key]) {
			k.Errorf("the messages of key %q arrived out of order", key)
		}
	}
}
