package core_test

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// The lease of a locked row cannot be renewed, but nobody can claim it either.
func TestALockedRowDoesNotCancelTheOthersOfItsBatch(t *testing.T) {
	r := newRig(t, false)
	batches := r.Dests.Add("b", true, false, nil)
	r.Lanes.Add("B", core.LaneConfig{
		Workers: 1, ColdQueue: 100, Batch: 10, DeliverBatch: 10, MaxAttempts: 3, Interval: time.Second, Timeout: time.Minute,
	}, []*core.Dest{batches})
	var items []core.Item
	for i, id := range []string{"locked", "other"} {
		one := row(id, int64(i+1))
		one.Event.ID, one.Event.Type = id, "B"
		items = append(items, core.NewItem(&one, batches, r.now))
	}
	r.claimed(items...)
	run := r.runs("locked")[0]
	renew := func(locked ...driver.Held) {
		r.step(func(c *core.Core) {
			held := []driver.Held{run.Items[0].Held(), run.Items[1].Held()}
			c.Leases.Renewed(run.Items, held, r.now, nil, locked)
		})
	}
	for range 5 { // two leases
		r.now = r.now.Add(6 * time.Second)
		r.step(func(c *core.Core) { c.Leases.Due() })
		if len(r.fx.Cancel) > 0 {
			t.Fatal("the run is cancelled")
		}
		renew(run.Items[0].Held())
	}
	r.now = r.now.Add(16 * time.Second) // now the other one's lease is over, too
	r.step(func(c *core.Core) { c.Leases.Due() })
	if len(r.fx.Cancel) != 1 {
		t.Error("the run goes on without a lease")
	}
}
