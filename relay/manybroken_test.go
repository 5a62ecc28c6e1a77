package relay_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay"
)

// Law 7. A lock on the table of dead letters looks like an outage to each statement
// with a dead outcome.
func TestMoreOutcomesThatEndTheConnectionThanFitABatchHoldUpNoOthers(t *testing.T) {
	for name, c := range map[string]struct{ batch, killers int }{
		"one at a time": {1, 2}, "two at a time": {2, 3}, "ten at a time": {10, 20}, "the defaults": {0, 1500},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := relay.Config{SettleBatch: c.batch, Lane: relay.LaneConfig{Interval: time.Second}}
			bubble(t, cfg, deadAndGood, func(ctx context.Context, r *rig) {
				var sent atomic.Int64
				r.over(r.brokenBy(&sent), cfg)
				r.run()
				r.writeCold(ctx, events("A", c.killers)...)
				pass(10 * time.Second)
				r.write(ctx, events("B", 10)...)
				pass(time.Minute)
				if n := r.stats(ctx).Done.N; n != 10 {
					t.Errorf("%d of 10 others are settled", n)
				}
			})
		})
	}
}

// deadAndGood are events of type A, which die, and of type B, which do not.
func deadAndGood(r *rig) {
	r.reg.Handle("A", func(context.Context, outbox.Event) error { return outbox.Permanent(errBoom) })
	r.reg.Handle("B", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
}

// MaxUnsettled bounds what is not written, and one type cannot use it up.
func TestATypeWhoseOutcomesCannotBeWrittenDoesNotStopOthers(t *testing.T) {
	cfg := relay.Config{MaxUnsettled: 50, Lane: relay.LaneConfig{Interval: time.Second}}
	bubble(t, cfg, deadAndGood, func(ctx context.Context, r *rig) {
		var sent atomic.Int64
		r.over(r.brokenBy(&sent), cfg)
		r.run()
		for i := range 60 {
			r.write(ctx, event("A", i))
			r.write(ctx, event("B", i))
			pass(10 * time.Second)
		}
		if n := r.stats(ctx).Done.N; n != 60 {
			t.Errorf("%d of 60 others are delivered and settled", n)
		}
	})
}

// Somebody locks the table of dead letters for minutes, while events die.
func TestOutcomesThatCannotBeWrittenForLongDragNoOthersAlong(t *testing.T) {
	for name, locked := range map[string]struct {
		err   error
		after time.Duration
	}{
		"an outage after a second":     {outbox.ErrStoreDown, time.Second},
		"a timeout after five seconds": {context.DeadlineExceeded, 5 * time.Second},
	} {
		for _, every := range []int{5, 1} {
			t.Run(fmt.Sprintf("%s, one dead in %d s", name, every), func(t *testing.T) {
				cfg := relay.Config{MaxUnsettled: 2000, Lane: relay.LaneConfig{Interval: time.Second}}
				bubble(t, cfg, deadAndGood, func(ctx context.Context, r *rig) {
					r.over(r.failingFor(driver.Dead, locked.err, locked.after), cfg)
					r.run()
					for i := range 200 {
						if i%every == 0 {
							r.write(ctx, event("A", i))
						}
						for j := range 10 {
							r.write(ctx, event("B", 10*i+j))
							pass(100 * time.Millisecond)
						}
					}
					if n := r.stats(ctx).Done.N; n < 1990 {
						t.Errorf("%d of 2000 others are settled", n)
					}
				})
			})
		}
	}
}

// failingFor is the store, in which statements with an outcome of that kind fail.
func (r *rig) failingFor(kind driver.OutcomeKind, err error, after time.Duration) *wrapped {
	s := &wrapped{Store: r.store}
	s.settle = func(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) ([]driver.Held, error) {
		for _, o := range outcomes {
			if o.Kind != kind {
				continue
			}
			select {
			case <-time.After(after):
				return nil, err
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		return r.store.Settle(ctx, owner, outcomes, keep)
	}
	return s
}
