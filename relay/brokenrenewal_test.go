package relay_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay"
)

// The statement that renews one of the leases ends the connection, each time.
func TestARenewalThatEndsTheConnectionHoldsUpFewOthers(t *testing.T) {
	cfg := relay.Config{SettleBatch: 5, Lane: relay.LaneConfig{Workers: 20}}
	var cancelled atomic.Int64
	bubble(t, cfg, func(r *rig) {
		r.stays = true
		r.reg.Handle("A", func(ctx context.Context, e outbox.Event) error {
			r.seen.note(e)
			select {
			case <-time.After(25 * time.Second):
			case <-ctx.Done():
				cancelled.Add(1)
			}
			return ctx.Err()
		})
	}, func(ctx context.Context, r *rig) {
		s := &wrapped{Store: r.store}
		s.renew = func(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Renewal) ([]driver.Held, error) {
			if slices.ContainsFunc(rows, func(row driver.Renewal) bool { return row.EventID == "A-00000" }) {
				return nil, outbox.ErrStoreDown
			}
			return r.store.Renew(ctx, owner, lease, rows)
		}
		r.over(s, cfg)
		r.writeCold(ctx, events("A", 20)...)
		r.run()
		pass(27 * time.Second)
		if n := r.stats(ctx).Done.N; n != 15 || cancelled.Load() != 5 {
			t.Errorf("%d events are delivered and %d cancelled, expected 15 and those 5 that are renewed together with the one", n, cancelled.Load())
		}
		r.stop()
	})
}
