package core_test

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// Its row is gone: another relay delivered and deleted it, and its id was used
// again.
func TestAReusedIDIsDeliveredWithItsOwnContent(t *testing.T) {
	c := core.New(core.Config{
		Lease: 15 * time.Second, HeadStart: 5 * time.Second, Margin: time.Second,
		MaxBytes: 1 << 20, MaxHeld: 100, MaxUnsettled: 100, SettleBatch: 100,
	})
	dest := c.Dests.Add("a", false, false, nil)
	c.Lanes.Add("A", core.LaneConfig{
		Workers: 1, ColdQueue: 100, Batch: 10, DeliverBatch: 1, MaxAttempts: 3, Interval: time.Second, Timeout: time.Minute,
	}, []*core.Dest{dest})
	now := time.Now()
	c.Start()
	claim := func(fx *core.Effects, id, text string, seq int64) {
		row := driver.Claimed{
			Held:  driver.Held{EventID: id, Seq: seq, ClaimNo: 1},
			Event: outbox.Event{Type: "A", ID: id, JSON: []byte(text)},
		}
		p := poll(c, now, fx)
		c.Step(now, fx, func(c *core.Core) { c.Claims.Claimed(p, []core.Item{core.NewItem(&row, dest, now)}, now) })
	}
	var fx core.Effects
	claim(&fx, "busy", `"the worker"`, 1)
	run := fx.Runs[0]
	claim(&fx, "x", `"old"`, 2)
	claim(&fx, "x", `"new"`, 3)
	fx.Reset()
	c.Step(now, &fx, func(c *core.Core) { c.Runs.Finished(run, make([]core.Answer, 1)) })
	if len(fx.Runs) != 1 {
		t.Fatalf("%d runs", len(fx.Runs))
	}
	it := fx.Runs[0].Items[0]
	if got := string(it.Event.JSON); got != `"new"` || it.Held().Seq != 3 {
		t.Errorf("row %d is delivered with %s", it.Held().Seq, got)
	}
}
