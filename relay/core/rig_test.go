package core_test

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// rig is a core with one lane, A, and one destination, at a time of its own.
type rig struct {
	*core.Core
	t    *testing.T
	now  time.Time
	dest *core.Dest
	fx   core.Effects
}

func newRig(t *testing.T, checks bool) *rig {
	r := &rig{t: t, now: time.Now(), Core: core.New(core.Config{
		Lease: 15 * time.Second, HeadStart: 5 * time.Second, Margin: time.Second,
		MaxBytes: 1 << 20, MaxHeld: 100, MaxUnsettled: 100, SettleBatch: 100,
	})}
	r.dest = r.AddDest("a", false, checks, nil)
	r.AddLane("A", core.LaneConfig{
		Workers: 2, ColdQueue: 100, Batch: 10, DeliverBatch: 1, MaxAttempts: 3, Interval: time.Second, Timeout: time.Minute,
	}, []*core.Dest{r.dest})
	r.Start(r.now)
	return r
}

// claim gives the core one row. Rows of one id need numbers that differ.
func (r *rig) claim(row driver.Claimed) {
	r.t.Helper()
	row.Event.ID, row.Event.Type = row.EventID, "A"
	r.Claimed(r.now, r.Poll(r.now, &r.fx), []core.Item{core.NewItem(&row, r.dest, r.now)}, r.now, &r.fx)
}

// runs takes the runs that the core has asked for.
func (r *rig) runs(want ...string) []*core.Run {
	r.t.Helper()
	var got []string
	runs := append([]*core.Run(nil), r.fx.Runs...)
	for _, run := range runs {
		got = append(got, run.Items[0].Held().EventID)
	}
	if len(got) != len(want) {
		r.t.Fatalf("%v run, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			r.t.Fatalf("%v run, want %v", got, want)
		}
	}
	r.fx.Reset()
	return runs
}

func (r *rig) finish(run *core.Run, a core.Answer) {
	r.Finished(r.now, run, []core.Answer{a}, &r.fx)
}

func row(id string, seq int64) driver.Claimed {
	return driver.Claimed{Held: driver.Held{EventID: id, Seq: seq, ClaimNo: 1}}
}

// hotCore is a core with one lane, A, of one worker that takes hot events.
func hotCore() (c *core.Core, dest *core.Dest, now time.Time) {
	c = core.New(core.Config{
		Lease: 15 * time.Second, HeadStart: 5 * time.Second, Margin: time.Second,
		MaxBytes: 1 << 20, MaxHeld: 100, MaxUnsettled: 100, SettleBatch: 100,
	})
	dest = c.AddDest("a", false, false, nil)
	c.AddLane("A", core.LaneConfig{
		Workers: 1, HotQueue: 10, ColdQueue: 100, Batch: 10, DeliverBatch: 1, MaxAttempts: 3, Interval: time.Second, Timeout: time.Minute,
	}, []*core.Dest{dest})
	now = time.Now()
	c.Start(now)
	return c, dest, now
}
