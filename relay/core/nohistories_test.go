package core_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// A suspect runs, and those behind it first go back to the table for their histories.
// What waited behind them, of their keys, joins the queue of suspects meanwhile.
func TestAllSuspectsThatWaitBeginTheirHistoriesBeforeOneRuns(t *testing.T) {
	for _, suspects := range []int{10, 1024, 3000} {
		t.Run(fmt.Sprint(suspects), func(t *testing.T) {
			c := core.New(core.Config{
				Lease: 15 * time.Second, HeadStart: 5 * time.Second, Margin: time.Second,
				MaxBytes: 1 << 24, MaxHeld: 10_000, MaxUnsettled: 10_000, SettleBatch: 1000,
			})
			dest := c.Dests.Add("a", false, false, nil)
			c.Lanes.Add("A", core.LaneConfig{
				Workers: 2, ColdQueue: 10_000, Batch: 1000, DeliverBatch: 1, MaxAttempts: 3, Interval: time.Second, Timeout: time.Minute,
			}, []*core.Dest{dest})
			c.Start()
			now := time.Now()
			var items []core.Item
			add := func(key string, attempts int) {
				seq := int64(len(items) + 1)
				id := fmt.Sprintf("e%06d", seq)
				items = append(items, core.NewItem(&driver.Claimed{
					Held: driver.Held{EventID: id, Seq: seq, ClaimNo: 4}, Attempts: attempts, Recovered: 3,
					Event: outbox.Event{ID: id, Type: "A", AggregateType: "t", AggregateID: key},
				}, dest, now))
			}
			add("first", 0) // it has no attempts that a history could lack
			for range suspects - 5 {
				add("", 2)
			}
			for i := range 10 {
				add(fmt.Sprint("key", i%5), 2)
			}
			var fx core.Effects
			p := poll(c, now, &fx)
			c.Step(now, &fx, func(c *core.Core) { c.Claims.Claimed(p, items, now) })
			if n := c.Load().Unsettled; fx.Lone == nil || n != suspects {
				t.Errorf("runs alone: %t, and %d go back for their histories, expected %d", fx.Lone != nil, n, suspects)
			}
		})
	}
}
