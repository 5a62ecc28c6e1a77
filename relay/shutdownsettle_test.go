package relay_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// stopsBeforeItIsSettled stops a relay that has 100 outcomes to write, starts it again,
// and looks for events that come twice.
func (r *rig) stopsBeforeItIsSettled(ctx context.Context) {
	r.t.Helper()
	r.stop()
	if n := r.stats(ctx).Done.N; n != 100 {
		r.t.Errorf("%d of 100 events are settled at the end of Run", n)
	}
	pass(time.Minute)
	r.run()
	pass(time.Minute)
	r.wantOnce("")
}

// Law 3. A statement takes longer than a part of the drain timeout.
func TestAStopWaitsForASlowSettleAsLongAsItMay(t *testing.T) {
	bubble(t, everySecond, recordA, func(ctx context.Context, r *rig) {
		s := &wrapped{Store: r.store}
		s.settle = func(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) ([]driver.Held, error) {
			select {
			case <-time.After(1500 * time.Millisecond):
				return r.store.Settle(ctx, owner, outcomes, keep)
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		r.over(s, everySecond)
		r.run()
		r.write(ctx, events("A", 100)...)
		pass(100 * time.Millisecond)
		r.stopsBeforeItIsSettled(ctx)
	})
}

// The pause before the next try may be longer than what is left.
func TestAStopWritesAtOnceWhatAnOutageHasHeldUp(t *testing.T) {
	bubble(t, everySecond, recordA, func(ctx context.Context, r *rig) {
		var down atomic.Bool
		var last atomic.Int64
		s := &wrapped{Store: r.store}
		s.settle = func(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) ([]driver.Held, error) {
			last.Store(time.Now().UnixNano())
			if down.Load() {
				return nil, outbox.ErrStoreDown
			}
			return r.store.Settle(ctx, owner, outcomes, keep)
		}
		r.over(s, everySecond)
		r.run()
		down.Store(true)
		r.write(ctx, events("A", 100)...)
		pass(8 * time.Second)
		for time.Since(time.Unix(0, last.Load())) > 300*time.Millisecond { // right after a try
			pass(50 * time.Millisecond)
		}
		down.Store(false)
		pass(100 * time.Millisecond)
		r.stopsBeforeItIsSettled(ctx)
	})
}
