package core_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/relay/core"
)

// The relay takes the time before its lock: two steps that wait for it come in
// the other order, a microsecond apart.
func TestStepsAMicrosecondOutOfOrderForgetNoPace(t *testing.T) {
	c := core.New(core.Config{
		Lease: 15 * time.Second, HeadStart: 5 * time.Second, Margin: time.Second,
		MaxBytes: 1 << 30, MaxHeld: 100_000, MaxUnsettled: 100_000, SettleBatch: 100_000,
	})
	dest := c.Dests.Add("a", false, false, nil)
	for _, l := range []string{"A", "B"} {
		c.Lanes.Add(l, core.LaneConfig{Workers: 2, ColdQueue: 1000, Batch: 10, DeliverBatch: 1, MaxAttempts: 3, Interval: time.Second, Timeout: time.Minute}, []*core.Dest{dest})
	}
	width := 15 * time.Second / 4 / 8
	now := time.Unix(0, 3_600_000_000*int64(width)) // the beginning of a part
	c.Start()
	var fx core.Effects
	n := 0
	turn := func(wait time.Duration) (rows int) {
		p := poll(c, now, &fx)
		var items []core.Item
		for _, w := range p.Wants {
			if w.Lane != "A" {
				continue
			}
			rows = w.Rows
			for range w.Rows {
				n++
				r := row(fmt.Sprint(n), int64(n))
				r.Event.ID, r.Event.Type = r.EventID, "A"
				items = append(items, core.NewItem(&r, dest, now))
			}
		}
		c.Step(now, &fx, func(c *core.Core) { c.Claims.Wake([]string{"B"}) })
		c.Step(now, &fx, func(c *core.Core) { c.Claims.Claimed(p, items, now) })
		c.Step(now, &fx, func(c *core.Core) { c.Claims.Wake([]string{"B"}) })
		for len(fx.Runs) > 0 {
			run := fx.Runs[0]
			fx.Runs = fx.Runs[1:]
			c.Step(now, &fx, func(c *core.Core) { c.Runs.Finished(run, make([]core.Answer, 1)) })
		}
		if b, _ := nextSettle(c, now.Add(time.Second), false); b != nil {
			c.Step(now, &fx, func(c *core.Core) { c.Outcomes.Settled(b, core.SettleAnswer{}) })
		}
		fx.Reset()
		now = now.Add(wait)
		return rows
	}
	for range 30 {
		turn(100 * time.Millisecond)
	}
	before := turn(0)
	// up to the beginning of the next part
	next := time.Unix(0, (now.UnixNano()/int64(width)+1)*int64(width))
	now = next
	c.Step(now, &fx, func(c *core.Core) { c.Claims.Wake([]string{"B"}) })
	poll(c, now, &fx) // one that got the lock first
	fx.Reset()
	now = next.Add(-time.Microsecond) // one that took its time before it
	after := turn(0)
	if after < before {
		t.Errorf("the lane asked for %d rows, and for %d after two steps came a microsecond out of order", before, after)
	}
}
