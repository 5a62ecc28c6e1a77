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

// Its statement ends the connection, each time: the server has a limit that the
// relay does not know, or a bug.
func TestAnOutcomeThatEndsTheConnectionHoldsUpNoOther(t *testing.T) {
	cfg := relay.Config{Lane: relay.LaneConfig{Interval: time.Second}}
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			if r.seen.note(e); e.ID == "A-00005" {
				return outbox.Permanent(errBoom)
			}
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		s := &wrapped{Store: r.store}
		var sent atomic.Int64
		s.settle = func(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) ([]driver.Held, error) {
			sent.Add(1)
			for _, o := range outcomes {
				if o.Kind == driver.Dead {
					return nil, outbox.ErrStoreDown
				}
			}
			return r.store.Settle(ctx, owner, outcomes, keep)
		}
		r.over(s, cfg)
		r.run()
		r.write(ctx, events("A", 10)...)
		for i := range 50 {
			r.write(ctx, event("A", 10+i))
			pass(time.Second)
		}
		pass(5 * time.Second)
		if n := r.stats(ctx).Done.N; n != 59 {
			t.Errorf("%d of 59 other events are settled", n)
		}
		r.wantOnce("")
		sent.Store(0)
		pass(time.Minute)
		if n := sent.Load(); n > 60 {
			t.Errorf("%d statements within a minute in which nothing else happens", n)
		}
	})
}

// An outage must not make the relay send everything that it has, one after the other.
func TestOutcomesWaitTogetherForADatabaseThatIsAway(t *testing.T) {
	cfg := relay.Config{SettleBatch: 1, MaxUnsettled: 500}
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
	}, func(ctx context.Context, r *rig) {
		s := &wrapped{Store: r.store}
		var sent atomic.Int64
		var back atomic.Bool
		s.settle = func(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) ([]driver.Held, error) {
			if sent.Add(1); !back.Load() {
				return nil, outbox.ErrStoreDown
			}
			return r.store.Settle(ctx, owner, outcomes, keep)
		}
		r.over(s, cfg)
		r.run()
		r.write(ctx, events("A", 400)...)
		pass(time.Minute)
		if n := sent.Load(); n > 150 {
			t.Errorf("%d statements within a minute of an outage", n)
		}
		back.Store(true)
		pass(5 * time.Second)
		if n := r.stats(ctx).Done.N; n != 400 {
			t.Errorf("%d of 400 events are settled", n)
		}
		r.wantOnce("")
	})
}
