package core_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// The interval is long because others wake the poller.
func TestALaneThatWaitsForAnotherIsLookedAtInASecond(t *testing.T) {
	c := core.New(core.Config{
		Lease: 15 * time.Second, HeadStart: 5 * time.Second, Margin: time.Second,
		MaxBytes: 1 << 20, MaxHeld: 20, MaxUnsettled: 100, SettleBatch: 100,
	})
	dest := c.Dests.Add("a", false, false, nil)
	for _, name := range []string{"A", "B"} {
		c.Lanes.Add(name, core.LaneConfig{
			Workers: 1, ColdQueue: 100, Batch: 20, DeliverBatch: 1, MaxAttempts: 3, Interval: time.Hour, Timeout: time.Minute,
		}, []*core.Dest{dest})
	}
	now := time.Now()
	c.Start()
	var fx core.Effects
	for n := 0; n < 20; { // A takes all the room
		p := poll(c, now, &fx)
		if len(p.Wants) == 0 {
			t.Fatalf("nothing is asked for with %d events held", n)
		}
		var items []core.Item
		for _, w := range p.Wants {
			for i := 0; w.Lane == "A" && i < w.Rows; i++ {
				n++
				id := fmt.Sprint("a-", n)
				row := driver.Claimed{Held: driver.Held{EventID: id, Seq: int64(n), ClaimNo: 1}, Event: outbox.Event{Type: "A", ID: id}}
				items = append(items, core.NewItem(&row, dest, now))
			}
		}
		c.Step(now, &fx, func(c *core.Core) { c.Claims.Claimed(p, items, now) })
	}
	now = now.Add(100 * time.Millisecond)
	c.Step(now, &fx, func(c *core.Core) { c.Claims.Wake([]string{"B"}) })
	p := poll(c, now, &fx)
	if len(p.Wants) > 0 {
		t.Fatalf("asked for %v at once", p.Wants)
	}
	if p.Wait > time.Second {
		t.Fatalf("the poller waits %s", p.Wait)
	}
	if p = poll(c, now.Add(p.Wait), &fx); len(p.Wants) != 1 || p.Wants[0].Lane != "B" {
		t.Errorf("asked for %v after that", p.Wants)
	}
}
