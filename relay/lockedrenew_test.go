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

// Each holds a connection of the relay's pool.
func TestRenewalsOfLockedRowsThatHangDoNotPileUp(t *testing.T) {
	cfg := relay.Config{Lane: relay.LaneConfig{Interval: time.Second}}
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("A", func(ctx context.Context, _ outbox.Event) error { <-ctx.Done(); return ctx.Err() })
	}, func(ctx context.Context, r *rig) {
		var locked atomic.Bool
		var now, most atomic.Int64
		s := &wrapped{Store: r.store}
		s.renew = func(ctx context.Context, _ driver.Owner, _ time.Duration, rows []driver.Renewal) ([]driver.Held, error) {
			if locked.CompareAndSwap(false, true) {
				return nil, &driver.LockedError{Rows: []driver.Held{rows[0].Held}}
			}
			most.Store(max(most.Load(), now.Add(1)))
			defer now.Add(-1)
			<-ctx.Done()
			return nil, ctx.Err()
		}
		r.over(s, cfg)
		r.writeCold(ctx, event("A", 0))
		r.run()
		pass(20 * time.Second)
		if n := most.Load(); n != 1 {
			t.Errorf("%d renewals of one row at once", n)
		}
	})
}
