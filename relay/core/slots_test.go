package core_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay/core"
)

// What commits after it is not kept until its head start is over.
func TestATransactionThatStaysOpenKeepsNoOthersInMemory(t *testing.T) {
	c := core.New(core.Config{
		Lease: 15 * time.Second, HeadStart: 5 * time.Second, Margin: time.Second,
		MaxBytes: 64 << 20, MaxHeld: 20, MaxUnsettled: 100, SettleBatch: 100,
	})
	dest := c.Dests.Add("a", false, false, nil)
	c.Lanes.Add("A", core.LaneConfig{
		Workers: 1, HotQueue: 10, ColdQueue: 100, Batch: 20, DeliverBatch: 1, MaxAttempts: 3, Interval: time.Hour, Timeout: time.Minute,
	}, []*core.Dest{dest})
	now := time.Now()
	c.Start()
	var fx core.Effects
	write := func(id string) []outbox.Written {
		e := outbox.Event{Type: "A", ID: id, JSON: []byte(`1`)}
		if !admit(c, now, now, e, []core.Item{core.NewHot(&e, dest)}, &fx) {
			t.Fatal("not admitted")
		}
		return []outbox.Written{{Event: e, HeadStart: 5 * time.Second, Since: now}}
	}
	write("open")
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	const n = 100_000
	for i := range n {
		c.Step(now, &fx, func(c *core.Core) { c.Hot.Dropped(write(fmt.Sprint("x-", i))) })
		fx.Reset()
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int(after.HeapAlloc) - int(before.HeapAlloc); grown > 2<<20 {
		t.Errorf("%d bytes are kept of %d transactions that are over", grown, n)
	}
	runtime.KeepAlive(c)
}
