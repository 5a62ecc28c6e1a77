package await

import (
	"testing"
	"time"
)

// Patience is how long Until waits.
const Patience = 3 * time.Minute

const interval = 20 * time.Millisecond

// Until polls until ok is true. It ends the test after Patience.
func Until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	Within(t, Patience, what, ok, nil)
}

// Within is Until with another limit. On failure it also prints what more
// returns, unless that is nil.
func Within(t testing.TB, limit time.Duration, what string, ok func() bool, more func() string) {
	t.Helper()
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for deadline := time.Now().Add(limit); !ok(); <-tick.C {
		if time.Now().Before(deadline) {
			continue
		}
		if more == nil {
			t.Fatalf("timed out after %s waiting until %s", limit, what)
		}
		t.Fatalf("timed out after %s waiting until %s\n%s", limit, what, more())
	}
}
