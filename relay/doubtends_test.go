package relay_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay"
)

// The outcome that met the outage is given up, and only one that is sent apart is left to
// show that the outage is over. No claim and no other event wakes the relay.
func TestAnOutageEndsAlthoughTheOutcomeThatMetItIsGivenUp(t *testing.T) {
	const slow = "A-00001"
	cfg := relay.Config{Lane: relay.LaneConfig{Interval: time.Second}}
	bubble(t, cfg, recordBoth, func(ctx context.Context, r *rig) {
		var others atomic.Int64
		var works atomic.Bool
		s := r.settling(func(ctx context.Context, outcomes []driver.Outcome) error {
			switch {
			case works.Load():
				return nil
			case hasOutcome(outcomes, slow):
				select {
				case <-time.After(5 * time.Second):
					return context.DeadlineExceeded
				case <-ctx.Done():
					return ctx.Err()
				}
			case others.Add(1) == 1:
				return outbox.ErrStoreDown
			}
			return errRefused
		})
		s.claim = func(context.Context, driver.ClaimRequest) ([]driver.Claimed, error) {
			return nil, nil // another relay is quicker
		}
		r.over(s, cfg)
		r.run()
		r.write(ctx, event("A", 1))
		pass(6 * time.Second) // slow once, and sent again apart
		r.write(ctx, event("B", 1))
		pass(10 * time.Second)
		if n := others.Load(); n < 3 {
			r.t.Fatalf("the other outcome was sent %d times", n)
		}
		works.Store(true)
		pass(2 * time.Minute)
		if n := r.stats(ctx).Done.N; n != 1 {
			t.Error("nothing is settled two minutes after the outage")
		}
	})
}
