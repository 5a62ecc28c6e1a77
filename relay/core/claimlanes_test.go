package core_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/relay/core"
)

// A database takes some time for each lane that a claim names: on MariaDB, seconds
// for 14,000 of them.
func TestAClaimNamesAtMost256OfThousandsOfLanesAndEachHasItsTurn(t *testing.T) {
	const lanes, most = 14_000, 256
	c := core.New(core.Config{
		Lease: 15 * time.Second, HeadStart: 5 * time.Second, Margin: time.Second,
		MaxBytes: 64 << 20, MaxHeld: 10 * lanes, MaxUnsettled: 100, SettleBatch: 100,
	})
	dest := c.Dests.Add("a", false, false, nil)
	for i := range lanes {
		c.Lanes.Add(fmt.Sprintf("lane-%05d", i), core.LaneConfig{
			Workers: 1, ColdQueue: 1, Batch: 1, DeliverBatch: 1, MaxAttempts: 3, Interval: time.Hour, Timeout: time.Minute,
		}, []*core.Dest{dest})
	}
	c.Start()
	now := time.Now()
	var fx core.Effects
	named := map[string]int{}
	claims := 0
	for ; len(named) < lanes && claims < lanes; claims++ {
		p := poll(c, now, &fx)
		if len(p.Wants) > most {
			t.Fatalf("claim %d names %d lanes, expected at most %d", claims+1, len(p.Wants), most)
		}
		for _, w := range p.Wants {
			named[w.Lane]++
		}
		c.Step(now, &fx, func(c *core.Core) { c.Claims.Claimed(p, nil, now) })
		now = now.Add(time.Millisecond)
		fx.Reset()
	}
	if want := (lanes + most - 1) / most; len(named) < lanes || claims != want {
		t.Errorf("%d of %d lanes were named in %d claims, expected all in %d", len(named), lanes, claims, want)
	}
	for lane, n := range named {
		if n != 1 {
			t.Errorf("%s was named %d times before others had their turn", lane, n)
		}
	}
}
