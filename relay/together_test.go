package relay_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/relaykit"
	"github.com/sendoff-go/outbox/outboxtest"
	"github.com/sendoff-go/outbox/relay"
)

// Scenario 70: relays that come back at once, while those that are still
// running meet each other's leases, all of them over.
func TestRelaysBackAfterThreeLeasesRepeatOnlyUnsettledEvents(t *testing.T) {
	const relays, total = 4, 2000
	var o relaykit.Outage
	bubble(t, relay.Config{}, func(r *rig) {
		r.reg.Handle("A", func(ctx context.Context, e outbox.Event) error {
			o.Run(e.ID)
			select {
			case <-time.After(300 * time.Millisecond):
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	}, func(ctx context.Context, r *rig) {
		r.writeCold(ctx, events("A", total)...)
		cfg := everySecond
		cfg.Logger = quietLog()
		cfg.Hooks.Settled = o.Settled
		var stores []*outboxtest.FlakyStore
		running, stop := context.WithCancel(ctx)
		var ended sync.WaitGroup
		for range relays {
			f := outboxtest.NewFlakyStore(r.store)
			rel, err := relay.New(f, r.reg, cfg)
			if err != nil {
				t.Fatal(err)
			}
			stores = append(stores, f)
			ended.Go(func() {
				if err := rel.Run(running); err != nil {
					t.Error(err)
				}
			})
		}
		pass(2 * time.Second)
		for _, f := range stores {
			f.Plan(func(outboxtest.Op, int) outboxtest.Fault { return outboxtest.Refuse })
		}
		held := o.InHand()
		before, _ := o.Extra()
		pass(45 * time.Second)
		inHand := o.InHand() // what was claimed before may have been started meanwhile, while its lease held
		for _, f := range stores {
			f.Plan(nil)
		}
		pass(3 * time.Minute)
		stop()
		ended.Wait()
		extra, seen := o.Extra()
		t.Logf("%d in hand as the outage began, %d as it ended; %d runs too many", held, inHand, extra)
		if before != 0 || extra > inHand || seen != total {
			t.Errorf("%d of %d events ran, %d times too often before the outage and %d in all; allowed are the %d in hand", seen, total, before, extra, inHand)
		}
		r.wantStats(ctx, 0, 0, total, 0)
	})
}
