package core_test

import (
	"errors"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/relay/core"
)

// The suspect of another lane may run for as long as its timeout.
func TestASuspectThatWaitsForAnotherDoesNotKeepItsLaneFromATrial(t *testing.T) {
	r := newRig(t, false)
	other := r.Dests.Add("b", false, false, nil)
	r.Lanes.Add("B", core.LaneConfig{
		Workers: 2, ColdQueue: 100, Batch: 10, DeliverBatch: 1, MaxAttempts: 3, Interval: time.Second, Timeout: time.Minute,
	}, []*core.Dest{other})
	long := row("long", 1)
	long.Event.ID, long.Event.Type, long.Recovered = "long", "B", 3
	r.claimed(core.NewItem(&long, other, r.now))
	var run *core.Run
	r.step(func(c *core.Core) { run = c.Lone.Proved(r.fx.Lone, r.now, false, nil) })
	if run == nil {
		t.Fatal("no suspect of B runs")
	}
	r.claim(row("lost", 2))
	r.finish(r.runs("lost")[0], core.Answer{Kind: core.Unavailable, Err: errors.New("down")})
	r.settle()
	r.now = r.now.Add(time.Second)
	r.dueProbes() // an event is the probe
	suspect := row("suspect", 3)
	suspect.Recovered = 3
	r.claim(suspect)
	for range 20 {
		r.now = r.now.Add(time.Second)
		for _, w := range r.poll().Wants {
			if w.Lane == "A" {
				return
			}
		}
	}
	t.Error("A is not claimed from while a suspect of B runs")
}

// settle writes all outcomes.
func (r *rig) settle() {
	for {
		b, _ := nextSettle(r.Core, r.now.Add(time.Second), false)
		if b == nil {
			return
		}
		r.step(func(c *core.Core) { c.Outcomes.Settled(b, core.SettleAnswer{}) })
	}
}
