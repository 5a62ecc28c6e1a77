package core_test

import (
	"errors"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/relay/core"
)

// In a round, an event whose destination is being tried keeps its place, and what
// waits behind it may go elsewhere.
func TestARoundGoesOnBehindAnEventWhoseDestinationGoesAway(t *testing.T) {
	r := newRig(t, false)
	other := r.Dests.Add("b", false, false, nil)
	r.Lanes.Add("B", core.LaneConfig{
		Workers: 4, ColdQueue: 100, Batch: 10, DeliverBatch: 1, MaxAttempts: 3, Interval: time.Second, Timeout: time.Minute,
	}, []*core.Dest{r.dest, other})
	item := func(lane, id string, seq int64, dest *core.Dest) core.Item {
		one := row(id, seq)
		one.Event.ID, one.Event.Type = id, lane
		return core.NewItem(&one, dest, r.now)
	}
	down := core.Answer{Kind: core.Unavailable, Err: errors.New("down")}
	r.claimed(item("A", "1", 1, r.dest), item("A", "2", 2, r.dest))
	for _, run := range r.runs("1", "2") {
		r.finish(run, down)
	}
	r.settle()
	r.now = r.now.Add(time.Second)
	r.dueProbes() // an event is the probe
	r.step(func(c *core.Core) { c.Claims.BeginRound() })
	r.claimed(item("A", "trial", 3, r.dest))
	trial := r.runs("trial")[0]
	r.claimed(item("B", "held", 4, r.dest), item("B", "behind", 5, other))
	r.finish(trial, down)
	r.runs("behind")
}
