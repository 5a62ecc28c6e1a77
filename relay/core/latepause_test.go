package core_test

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox/relay/core"
)

// Two loops ask, and the answers may come in the other order.
func TestAnAnswerAboutPausesThatIsOvertakenCountsNoMore(t *testing.T) {
	r := newRig(t, true)
	first, second := r.now, r.now.Add(time.Second)
	pause := func(p core.Paused) { r.step(func(c *core.Core) { c.Pause(p) }) }
	pause(core.Paused{Dests: []string{"a"}, Asked: second})
	pause(core.Paused{Asked: first})
	if n := len(r.fx.Turns); n != 1 || r.fx.Turns[0].Kind != core.NotePaused {
		t.Fatalf("%d changes are noted, want one pause", n)
	}
	pause(core.Paused{Asked: second.Add(time.Second)})
	if n := len(r.fx.Turns); n != 2 || r.fx.Turns[1].Kind != core.NoteResumed {
		t.Errorf("%d changes are noted, want the resume too", n)
	}
}
