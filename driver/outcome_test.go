package driver_test

import (
	"testing"

	"github.com/sendoff-go/outbox/driver"
)

func TestOutcomesHaveNames(t *testing.T) {
	for kind, want := range map[driver.OutcomeKind]string{
		driver.Done: "done", driver.Retry: "retry", driver.Dead: "dead", driver.Release: "release", 0: "unknown", 99: "unknown",
	} {
		if got := kind.String(); got != want {
			t.Errorf("%d is %q, expected %q", kind, got, want)
		}
	}
}
