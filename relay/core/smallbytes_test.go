package core_test

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox/relay/core"
)

func TestLanesAreClaimedFromHoweverSmallMaxBytesIs(t *testing.T) {
	c := core.New(core.Config{
		Lease: 15 * time.Second, HeadStart: 5 * time.Second, Margin: time.Second,
		MaxBytes: 1, MaxHeld: 100, MaxUnsettled: 100, SettleBatch: 100,
	})
	for _, l := range []string{"A", "B"} {
		c.Lanes.Add(l, core.LaneConfig{Workers: 1, ColdQueue: 100, Batch: 10, DeliverBatch: 1, MaxAttempts: 3, Interval: time.Second, Timeout: time.Minute}, nil)
	}
	now := time.Now()
	c.Start()
	var fx core.Effects
	if p := poll(c, now, &fx); len(p.Wants) != 2 {
		t.Errorf("claims from %d of 2 lanes", len(p.Wants))
	}
}
