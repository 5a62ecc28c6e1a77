package core_test

import (
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/relay/core"
)

func TestPayloadsOfDeadEventsThatAreKeptCountUntilTheyAreWritten(t *testing.T) {
	for keep, most := range map[bool]int{true: 1<<20 - 900<<10, false: 1 << 20} {
		c := core.New(core.Config{
			Lease: 15 * time.Second, HeadStart: 5 * time.Second, Margin: time.Second,
			MaxBytes: 1 << 20, MaxHeld: 100, MaxUnsettled: 100, SettleBatch: 100, KeepDead: keep,
		})
		dest := c.Dests.Add("a", false, false, nil)
		c.Lanes.Add("A", core.LaneConfig{
			Workers: 1, ColdQueue: 100, Batch: 10, DeliverBatch: 1, MaxAttempts: 3, Interval: time.Second, Timeout: time.Minute,
		}, []*core.Dest{dest})
		now := time.Now()
		c.Start()
		var fx core.Effects
		claim := func() core.Polling {
			now = now.Add(time.Minute)
			fx.Reset()
			return poll(c, now, &fx)
		}
		p := claim()
		big := row("x", 1)
		big.Event.ID, big.Event.Type, big.Event.JSON = "x", "A", []byte(`"`+strings.Repeat("x", 900<<10)+`"`)
		c.Step(now, &fx, func(c *core.Core) { c.Claims.Claimed(p, []core.Item{core.NewItem(&big, dest, now)}, now) })
		run := fx.Runs[0]
		c.Step(now, &fx, func(c *core.Core) { c.Runs.Finished(run, []core.Answer{{Kind: core.Permanent}}) })
		if got := claim().Wants[0].Bytes; got > most || got < most/2 {
			t.Errorf("kept: %t, the next claim may have %d bytes, expected %d at most", keep, got, most)
		}
		b, _ := nextSettle(c, now, false)
		c.Step(now, &fx, func(c *core.Core) { c.Outcomes.Settled(b, core.SettleAnswer{}) })
		if got := claim().Wants[0].Bytes; got < 500<<10 {
			t.Errorf("kept: %t, when the letter is written the next claim may have only %d bytes", keep, got)
		}
	}
}
