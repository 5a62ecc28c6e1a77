package locktest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/complaints"
	"github.com/sendoff-go/outbox/storetest"
)

// Check tests a store against a law. With limits, a law that fails because the
// database was not available is tried again if the machine has stood still
// meanwhile: that may break any call, since the role allows none to stand still
// for long. What fails on a machine that runs is broken by a limit.
func Check[Tx any](t testing.TB, limits bool, law storetest.Law[Tx], open storetest.Open[Tx]) {
	t.Helper()
	if !limits {
		law.Check(t, open(t))
		return
	}
	for try := 1; ; try++ {
		var pulse pulse
		found := complaints.Of(t, func(t testing.TB) {
			s := open(t)
			defer pulse.feel(t, s.Exec)()
			law.Check(t, s)
		})
		if excused(found, pulse.longest) && try < tries {
			t.Logf("try %d, in which the machine stood still for %s: %q", try, pulse.longest, found)
			continue
		}
		for _, text := range found {
			t.Error(text)
		}
		return
	}
}

// tries is how often a law is tried on a machine that stands still each time.
const tries = 5

// standstill is a quarter of the time that the limits of [Tight] leave to a
// statement or a transaction, which takes several steps.
const standstill = 200 * time.Millisecond

// excused reports whether a law may have failed because the machine stood still for
// so long.
func excused(found []string, still time.Duration) bool {
	unavailable := func(text string) bool { return strings.Contains(text, outbox.ErrStoreDown.Error()) }
	return still >= standstill && slices.ContainsFunc(found, unavailable)
}
