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
	other := r.AddDest("b", false, false, nil)
	r.AddLane("B", core.LaneConfig{
		Workers: 2, ColdQueue: 100, Batch: 10, DeliverBatch: 1, MaxAttempts: 3, Interval: time.Second, Timeout: time.Minute,
	}, []*core.Dest{other})
	long := row("long", 1)
	long.Event.ID, long.Event.Type, long.Recovered = "long", "B", 3
	r.Claimed(r.now, r.Poll(r.now, &r.fx), []core.Item{core.NewItem(&long, other, r.now)}, r.now, &r.fx)
	if run := r.Proved(r.now, r.fx.Lone, r.now, false, nil, &r.fx); run == nil {
		t.Fatal("no suspect of B runs")
	}
	r.claim(row("lost", 2))
	r.finish(r.runs("lost")[0], core.Answer{Kind: core.Unavailable, Err: errors.New("down")})
	r.settle()
	r.now = r.now.Add(time.Second)
	r.DueProbes(r.now, &r.fx) // an event is the probe
	suspect := row("suspect", 3)
	suspect.Recovered = 3
	r.claim(suspect)
	for range 20 {
		r.now = r.now.Add(time.Second)
		for _, w := range r.Poll(r.now, &r.fx).Wants {
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
		b, _ := r.NextSettle(r.now.Add(time.Second), false)
		if b == nil {
			return
		}
		r.Settled(r.now, b, core.SettleAnswer{}, &r.fx)
	}
}
