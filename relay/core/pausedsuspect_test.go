package core_test

import (
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay/core"
)

// Its lane was paused while its attempt was being written, and the database did not
// answer.
func TestASuspectOfAPausedLaneIsReleasedAlsoIfItsAttemptCouldNotBeWritten(t *testing.T) {
	r := newRig(t, false)
	suspect := row("x", 1)
	suspect.Recovered = 3
	r.claim(suspect)
	lone := r.fx.Lone
	r.step(func(c *core.Core) { c.Pause(core.Paused{Lanes: []string{"A"}}) })
	r.step(func(c *core.Core) { c.Lone.Proved(lone, r.now, false, outbox.ErrStoreDown) })
	if l := r.Load(); l.Waiting != 0 || l.Unsettled != 1 {
		t.Errorf("%+v: it waits in a paused lane", l)
	}
}
