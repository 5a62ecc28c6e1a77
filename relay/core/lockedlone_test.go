package core_test

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// A person has changed its row and not committed. Its outcome waits for that; all
// others go on.
func TestASuspectWhoseOutcomeWaitsForALockDoesNotHoldUpOtherSuspects(t *testing.T) {
	r := newRig(t, false)
	first, second := row("first", 1), row("second", 2)
	first.Recovered, second.Recovered = 3, 3
	r.claim(first)
	lone := r.fx.Lone
	r.claim(second)
	var run *core.Run
	r.step(func(c *core.Core) { run = c.Lone.Proved(lone, r.now, false, nil) })
	r.finish(run, delivered)
	r.fx.Reset()
	for range 100 {
		r.now = r.now.Add(time.Minute)
		r.step(func(c *core.Core) {
			due := c.Leases.Due()
			for _, items := range due.Batches {
				held := make([]driver.Held, len(items))
				for i, it := range items {
					held[i] = it.Held()
				}
				c.Leases.Renewed(items, held, r.now, nil, nil)
			}
		})
		var b *core.Batch
		r.step(func(c *core.Core) {
			if b, _ = c.Outcomes.Next(false); b == nil {
				b, _ = c.Outcomes.NextApart()
			}
		})
		if b != nil {
			r.step(func(c *core.Core) {
				c.Outcomes.Settled(b, core.SettleAnswer{Locked: []driver.Held{b.Items[0].Held()}})
			})
		}
		if r.fx.Lone != nil {
			return
		}
	}
	t.Error("the second has not begun after 100 minutes, since the row of the first is locked")
}
