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

// Its statement takes longer than the store allows, each time: the table of dead
// letters is locked, or a trigger waits for something.
func TestAnOutcomeThatTakesTooLongHoldsUpNoOther(t *testing.T) {
	cfg := relay.Config{Lane: relay.LaneConfig{Interval: time.Second}}
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			if r.seen.note(e); e.ID == "A-00005" {
				return outbox.Permanent(errBoom)
			}
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		var free atomic.Bool
		s := &wrapped{Store: r.store}
		s.settle = func(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) ([]driver.Held, error) {
			for _, o := range outcomes {
				if o.Kind == driver.Dead && !free.Load() {
					select {
					case <-time.After(5 * time.Second):
						return nil, context.DeadlineExceeded
					case <-ctx.Done():
						return nil, ctx.Err()
					}
				}
			}
			return r.store.Settle(ctx, owner, outcomes, keep)
		}
		r.over(s, cfg)
		r.run()
		r.write(ctx, events("A", 10)...)
		pass(time.Minute)
		for i := range 50 {
			r.write(ctx, event("A", 10+i))
			pass(time.Second)
		}
		pass(time.Second)
		if n := r.stats(ctx).Done.N; n != 59 {
			t.Errorf("%d of 59 outcomes are written a second after the last", n)
		}
		free.Store(true)
		pass(10 * time.Second)
		r.wantStats(ctx, 0, 0, 59, 1)
		r.wantOnce("")
	})
}
