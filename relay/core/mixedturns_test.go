package core_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay/core"
)

// batchCore is a core with one lane, A, of one worker, whose events go in batches
// to one of two destinations.
func batchCore(fair bool) (c *core.Core, x, y *core.Dest, now time.Time) {
	c = core.New(core.Config{
		Lease: 15 * time.Second, HeadStart: 5 * time.Second, Margin: time.Second,
		MaxBytes: 1 << 20, MaxHeld: 1000, MaxUnsettled: 1000, SettleBatch: 100,
	})
	x, y = c.Dests.Add("x", true, false, nil), c.Dests.Add("y", true, false, nil)
	c.Lanes.Add("A", core.LaneConfig{
		Workers: 1, HotQueue: 100, ColdQueue: 100, Batch: 10, DeliverBatch: 10, MaxAttempts: 3,
		Interval: time.Second, Timeout: time.Minute, Fair: fair,
	}, []*core.Dest{x, y})
	c.Start()
	return c, x, y, time.Now()
}

// A batch goes to one destination, and ends where the next event goes to another:
// whose turn it is then.
func TestClaimedEventsGetTheirTurnBesideHotOnesOfAnotherDestination(t *testing.T) {
	c, x, y, now := batchCore(false)
	var fx core.Effects
	hot := 0
	write := func(n int) {
		for range n {
			hot++
			e := outbox.Event{Type: "A", ID: fmt.Sprint("hot-", hot), JSON: []byte(`1`)}
			items := []core.Item{core.NewHot(&e, x)}
			if !admit(c, now, now, e, items, &fx) {
				t.Fatal("not admitted")
			}
			items[0].Event = &e
			c.Step(now, &fx, func(c *core.Core) {
				c.Hot.Committed([]outbox.Written{{Event: e, Seq: int64(hot), HeadStart: 5 * time.Second, Since: now}})
			})
		}
	}
	write(50)
	r := row("cold", 1000)
	r.Event.ID, r.Event.Type = "cold", "A"
	p := poll(c, now, &fx)
	c.Step(now, &fx, func(c *core.Core) { c.Claims.Claimed(p, []core.Item{core.NewItem(&r, y, now)}, now) })
	for range 20 {
		run := fx.Runs[0]
		fx.Reset()
		for _, it := range run.Items {
			if it.Held().EventID == "cold" {
				return
			}
		}
		write(len(run.Items)) // as many as were delivered
		c.Step(now, &fx, func(c *core.Core) { c.Runs.Finished(run, make([]core.Answer, len(run.Items))) })
	}
	t.Error("20 batches of hot events ran, and the claimed event did not")
}

func TestATenantWhoseEventsGoToAnotherDestinationGetsItsTurn(t *testing.T) {
	c, x, y, now := batchCore(true)
	var fx core.Effects
	var items []core.Item
	add := func(tenant string, n int, to *core.Dest) {
		for range n {
			id := fmt.Sprint(len(items))
			r := row(id, int64(len(items)+1))
			r.Event = outbox.Event{ID: id, Type: "A", TenantID: tenant}
			items = append(items, core.NewItem(&r, to, now))
		}
	}
	add("big", 40, x)
	add("small", 2, y)
	p := poll(c, now, &fx)
	c.Step(now, &fx, func(c *core.Core) { c.Claims.Claimed(p, items, now) })
	for range 5 {
		run := fx.Runs[0]
		fx.Reset()
		if run.Items[0].Event.TenantID == "small" {
			return
		}
		c.Step(now, &fx, func(c *core.Core) { c.Runs.Finished(run, make([]core.Answer, len(run.Items))) })
	}
	t.Error("5 batches of one tenant ran, and none of the other")
}
