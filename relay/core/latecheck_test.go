package core_test

import (
	"errors"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/relay/core"
)

// away takes the destination down, and returns it when its check is due.
func (r *rig) away() *core.Breaker {
	r.t.Helper()
	r.claim(row("x", 1))
	r.finish(r.runs("x")[0], core.Answer{Kind: core.Unavailable, Err: errors.New("away")})
	r.now = r.now.Add(time.Second)
	due, _ := r.dueProbes()
	if len(due) != 1 {
		r.t.Fatalf("%d destinations are checked, want one", len(due))
	}
	return due[0]
}

func TestADestinationIsNotCheckedAgainWhileACheckIgnoresItsEnd(t *testing.T) {
	r := newRig(t, true)
	b := r.away()
	r.step(func(c *core.Core) { c.Dests.CheckLate(b) })
	r.step(func(c *core.Core) { c.Dests.Probed(b, errors.New("timeout")) })
	for range 10 {
		r.now = r.now.Add(time.Minute)
		if due, wait := r.dueProbes(); len(due) != 0 || wait > 15*time.Second {
			t.Fatalf("%d destinations are checked, the next in %s: want none, and soon", len(due), wait)
		}
	}
	r.step(func(c *core.Core) { c.Dests.CheckEnded(b, errors.New("late")) })
	r.now = r.now.Add(time.Minute)
	if due, _ := r.dueProbes(); len(due) != 1 {
		t.Errorf("%d destinations are checked after its end, want one", len(due))
	}
}

func TestACheckThatPassesLateBringsItsDestinationBack(t *testing.T) {
	r := newRig(t, true)
	b := r.away()
	r.step(func(c *core.Core) { c.Dests.CheckLate(b) })
	r.step(func(c *core.Core) { c.Dests.Probed(b, errors.New("timeout")) })
	r.fx.Reset()
	r.step(func(c *core.Core) { c.Dests.CheckEnded(b, nil) })
	if len(r.fx.Turns) != 1 || r.fx.Turns[0].Kind != core.NoteHalfOpen {
		t.Errorf("noted %v, want that it is half-open", r.fx.Turns)
	}
}

func TestASuspectIsGivenBackWhileACheckOfItsDestinationIgnoresItsEnd(t *testing.T) {
	r := newRig(t, true)
	suspect := row("suspect", 1)
	suspect.Recovered = 3
	r.claim(suspect)
	it := r.fx.Lone
	var b *core.Breaker
	r.step(func(c *core.Core) { b = c.Lone.Check(it) })
	if b == nil {
		t.Fatal("its destination is not checked")
	}
	r.step(func(c *core.Core) { c.Dests.CheckLate(b); b = c.Lone.Check(it) })
	if b != nil || r.Load().Unsettled != 1 {
		t.Errorf("it is checked again, or not given back: %v, %d unsettled", b, r.Load().Unsettled)
	}
}
