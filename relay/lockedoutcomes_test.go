package relay_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/relaykit"
	"github.com/sendoff-go/outbox/relay"
)

// Their outcomes wait beside a backlog of another type.
func TestLockedOutcomesDoNotStopTheirLane(t *testing.T) {
	cfg := relay.Config{Lane: relay.LaneConfig{Interval: time.Second}}
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
		r.reg.Handle("B", relaykit.OneSecond)
	}, func(ctx context.Context, r *rig) {
		s := &wrapped{Store: r.store}
		var on atomic.Bool
		on.Store(false)
		s.settle = func(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) ([]driver.Held, error) {
			var locked []driver.Held
			outcomes = slices.DeleteFunc(slices.Clone(outcomes), func(o driver.Outcome) bool {
				l := on.Load() && o.EventID >= "A-02000" && o.EventID < "A-02060"
				if l {
					locked = append(locked, o.Held)
				}
				return l
			})
			stale, err := r.store.Settle(ctx, owner, outcomes, keep)
			if err == nil && len(locked) > 0 {
				err = &driver.LockedError{Rows: locked}
			}
			return stale, err
		}
		r.over(s, cfg)
		r.run()
		all := events("A", 2160)
		r.writeCold(ctx, events("B", 3000)...) // another lane is behind
		r.writeCold(ctx, all[:2000]...)        // the lane is proven
		pass(time.Minute)
		on.Store(true)
		r.writeCold(ctx, all[2000:2060]...) // another session locks them
		pass(time.Minute)
		for i := range 100 {
			r.writeCold(ctx, all[2060+i])
			pass(time.Second)
		}
		pass(time.Minute)
		n := 0
		for i := range 100 {
			n += min(r.seen.times(all[2060+i].ID), 1)
		}
		if n != 100 {
			t.Errorf("%d of 100 of A were delivered beside 60 locked ones", n)
		}
		on.Store(false)
		pass(time.Minute)
	})
}
