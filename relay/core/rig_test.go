package core_test

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
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
	r.dest = r.Dests.Add("a", false, checks, nil)
	r.Lanes.Add("A", core.LaneConfig{
		Workers: 2, ColdQueue: 100, Batch: 10, DeliverBatch: 1, MaxAttempts: 3, Interval: time.Second, Timeout: time.Minute,
	}, []*core.Dest{r.dest})
	r.Start()
	return r
}

// claim gives the core one row. Rows of one id need numbers that differ.
func (r *rig) claim(row driver.Claimed) {
	r.t.Helper()
	row.Event.ID, row.Event.Type = row.EventID, "A"
	r.claimed(core.NewItem(&row, r.dest, r.now))
}

// claimed asks what to claim, and gives the core these events.
func (r *rig) claimed(items ...core.Item) {
	p := r.poll()
	r.step(func(c *core.Core) { c.Claims.Claimed(p, items, r.now) })
}

func (r *rig) step(f func(c *core.Core)) { r.Step(r.now, &r.fx, f) }

func (r *rig) poll() core.Polling { return poll(r.Core, r.now, &r.fx) }

func (r *rig) dueProbes() ([]*core.Breaker, time.Duration) { return dueProbes(r.Core, r.now) }

func poll(c *core.Core, now time.Time, fx *core.Effects) (p core.Polling) {
	c.Step(now, fx, func(c *core.Core) { p = c.Claims.Next() })
	return p
}

func (r *rig) nextSettle(full bool) (*core.Batch, time.Duration) {
	return nextSettle(r.Core, r.now, full)
}

func dueProbes(c *core.Core, now time.Time) (due []*core.Breaker, wait time.Duration) {
	c.Step(now, new(core.Effects), func(c *core.Core) { due, wait = c.Dests.Due() })
	return due, wait
}

func nextSettle(c *core.Core, now time.Time, full bool) (b *core.Batch, wait time.Duration) {
	c.Step(now, new(core.Effects), func(c *core.Core) { b, wait = c.Outcomes.Next(full) })
	return b, wait
}

func unconfirmed(c *core.Core, now time.Time) (items []*core.Item, wait time.Duration) {
	c.Step(now, new(core.Effects), func(c *core.Core) { items, wait = c.Confirms.Next() })
	return items, wait
}

func admit(c *core.Core, now, since time.Time, e outbox.Event, items []core.Item, fx *core.Effects) (admitted bool) {
	c.Step(now, fx, func(c *core.Core) { admitted = c.Hot.Admit(since, []outbox.Event{e}, items) })
	return admitted
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
	r.step(func(c *core.Core) { c.Runs.Finished(run, []core.Answer{a}) })
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
	dest = c.Dests.Add("a", false, false, nil)
	c.Lanes.Add("A", core.LaneConfig{
		Workers: 1, HotQueue: 10, ColdQueue: 100, Batch: 10, DeliverBatch: 1, MaxAttempts: 3, Interval: time.Second, Timeout: time.Minute,
	}, []*core.Dest{dest})
	now = time.Now()
	c.Start()
	return c, dest, now
}
