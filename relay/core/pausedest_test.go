package core_test

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// The pause comes while the destination is being checked.
func TestASuspectIsReleasedIfItsTypeOrDestinationIsPaused(t *testing.T) {
	for name, pause := range map[string]core.Paused{"type": {Lanes: []string{"A"}}, "destination": {Dests: []string{"a"}}} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, true)
			suspect := row("x", 1)
			suspect.Recovered = 3
			r.claim(suspect)
			it := r.fx.Lone
			if it == nil {
				t.Fatal("no lone run")
			}
			r.step(func(c *core.Core) { c.Pause(pause) })
			var may bool
			r.step(func(c *core.Core) { may = c.Lone.Proving(it) })
			if may {
				t.Error("its attempt may be written")
			}
			if u := r.Load().Unsettled; u != 1 || it.Outcome().Kind != driver.Release {
				t.Errorf("%d are unsettled, outcome %v: want one that is released", u, it.Outcome().Kind)
			}
		})
	}
}

// The destination would be checked first, and a check is a probe.
func TestASuspectOfAPausedDestinationIsNotProved(t *testing.T) {
	r := newRig(t, true)
	r.step(func(c *core.Core) { c.Pause(core.Paused{Dests: []string{"a"}}) })
	suspect := row("x", 1)
	suspect.Recovered = 3
	r.claim(suspect)
	if u := r.Load().Unsettled; u != 1 || r.fx.Lone != nil {
		t.Errorf("%d are unsettled, and the lone run is %v: want one that is released", u, r.fx.Lone)
	}
}

func TestAnOutageDuringAPauseIsNotProbedBeforeTheResume(t *testing.T) {
	r := newRig(t, true)
	r.claim(row("x", 1))
	run := r.runs("x")[0]
	r.step(func(c *core.Core) { c.Pause(core.Paused{Dests: []string{"a"}}) })
	r.finish(run, core.Answer{Kind: core.Unavailable}) // it ran on
	r.now = r.now.Add(time.Hour)
	if due, _ := r.dueProbes(); len(due) != 0 {
		t.Error("a destination that is paused is probed")
	}
	r.fx.Reset()
	r.step(func(c *core.Core) { c.Pause(core.Paused{}) })
	if r.fx.Wake&core.ProbeLoop == 0 {
		t.Error("nobody probes it after the resume")
	}
	if due, _ := r.dueProbes(); len(due) != 1 {
		t.Error("it is not probed after the resume")
	}
}

func TestAPauseIsNotedOnceAtEachEnd(t *testing.T) {
	r := newRig(t, true)
	var kinds []core.NoteKind
	for _, dests := range [][]string{{"a"}, {"a", "b"}, {"b"}, nil} {
		r.step(func(c *core.Core) { c.Pause(core.Paused{Dests: dests}) })
	}
	for _, n := range r.fx.Turns {
		kinds = append(kinds, n.Kind)
	}
	if len(kinds) != 2 || kinds[0] != core.NotePaused || kinds[1] != core.NoteResumed {
		t.Errorf("noted %v", kinds)
	}
}
