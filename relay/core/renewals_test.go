package core_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

func TestOneSlowRenewalDoesNotBoundTheRelayForEver(t *testing.T) {
	c := core.New(core.Config{
		Lease: 15 * time.Second, HeadStart: 5 * time.Second, Margin: time.Second,
		MaxBytes: 64 << 20, MaxHeld: 10_000, MaxUnsettled: 10_000, SettleBatch: 1000,
	})
	dest := c.Dests.Add("a", false, false, nil)
	c.Lanes.Add("A", core.LaneConfig{
		Workers: 1000, ColdQueue: 1000, Batch: 500, DeliverBatch: 1, MaxAttempts: 3, Interval: time.Second, Timeout: time.Minute,
	}, []*core.Dest{dest})
	now := time.Now()
	c.Start()
	seq := int64(0)
	// once claims what is wanted, and delivers it at once.
	once := func(wait func()) (rows int) {
		var fx core.Effects
		p := poll(c, now, &fx)
		if len(p.Wants) == 0 {
			return 0
		}
		rows = p.Wants[0].Rows
		items := make([]core.Item, rows)
		for i := range items {
			seq++
			row := driver.Claimed{Held: driver.Held{EventID: fmt.Sprint(seq), Seq: seq, ClaimNo: 1}, Event: outbox.Event{Type: "A", ID: fmt.Sprint(seq)}}
			items[i] = core.NewItem(&row, dest, now)
		}
		fx.Reset()
		c.Step(now, &fx, func(c *core.Core) { c.Claims.Claimed(p, items, now) })
		runs := fx.Runs
		wait()
		for _, run := range runs {
			var fx core.Effects
			c.Step(now, &fx, func(c *core.Core) { c.Runs.Finished(run, make([]core.Answer, 1)) })
		}
		for {
			b, _ := nextSettle(c, now.Add(time.Second), false)
			if b == nil {
				return rows
			}
			var fx core.Effects
			c.Step(now, &fx, func(c *core.Core) { c.Outcomes.Settled(b, core.SettleAnswer{}) })
		}
	}
	for range 20 {
		once(func() {})
		now = now.Add(10 * time.Millisecond)
	}
	before := once(func() {})
	once(func() { // runs of six seconds, and a database that takes four for the renewal
		now = now.Add(6 * time.Second)
		var fx core.Effects
		var due core.Renewals
		c.Step(now, &fx, func(c *core.Core) { due = c.Leases.Due() })
		for _, batch := range due.Batches {
			held := make([]driver.Held, len(batch))
			for i, it := range batch {
				held[i] = it.Held()
			}
			sent := now
			now = now.Add(4 * time.Second)
			c.Step(now, &fx, func(c *core.Core) { c.Leases.Renewed(batch, held, sent, nil, nil) })
		}
	})
	for range 20 { // some work, then an hour later
		now = now.Add(10 * time.Millisecond)
		once(func() {})
	}
	now = now.Add(time.Hour)
	for range 20 {
		now = now.Add(10 * time.Millisecond)
		once(func() {})
	}
	after := once(func() {})
	if after < before {
		t.Errorf("a claim asked for %d rows before one slow renewal, and for %d an hour after", before, after)
	}
}
