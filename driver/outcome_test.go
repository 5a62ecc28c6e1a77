package driver_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

func TestAHistoryKeepsTheLastTenFailures(t *testing.T) {
	var list json.RawMessage
	for i := range 25 {
		list = driver.AppendFailure(list, driver.Failure{
			At: time.Unix(int64(i), 0).UTC(), Took: time.Second, Owner: "o", Attempt: i + 1, Error: strings.Repeat("é\x00", 600)})
	}
	fs := driver.ParseFailures(list)
	if len(fs) != 10 || fs[0].Attempt != 16 || fs[9].Attempt != 25 {
		t.Fatalf("%d failures from %d on, expected the last ten", len(fs), fs[0].Attempt)
	}
	if n := len([]rune(fs[9].Error)); n != 500 || strings.ContainsRune(fs[9].Error, 0) {
		t.Errorf("an error of %d characters, expected 500 without NUL", n)
	}
	if !json.Valid(list) || len(list) > 20_000 {
		t.Errorf("%d bytes, valid: %t", len(list), json.Valid(list))
	}
}

func TestAHistoryThatCannotBeReadIsBegunAnew(t *testing.T) {
	for _, list := range []string{"", "null", "{", "1", `{"a":1}`} {
		fs := driver.ParseFailures(driver.AppendFailure(json.RawMessage(list), driver.Failure{Attempt: 3}))
		if len(fs) != 1 || fs[0].Attempt != 3 {
			t.Errorf("%q became %+v", list, fs)
		}
	}
}

func TestOutcomesHaveNames(t *testing.T) {
	for kind, want := range map[driver.OutcomeKind]string{
		driver.Done: "done", driver.Retry: "retry", driver.Dead: "dead", driver.Release: "release", 0: "unknown", 99: "unknown",
	} {
		if got := kind.String(); got != want {
			t.Errorf("%d is %q, expected %q", kind, got, want)
		}
	}
}
