package relay_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/outboxtest"
)

var errNoGrant = errors.New("permission denied for table outbox_dead")

// A database role without the right to write dead letters: nothing is down, and
// the outcome is refused for ever. Nothing else happens to be settled that would
// show that settling works.
func TestPollingGoesOnAfterARefusedOutcomeAndAClaimError(t *testing.T) {
	bubble(t, everySecond, func(r *rig) {
		r.reg.Handle("A", func(context.Context, outbox.Event) error { return outbox.Permanent(errBoom) })
		r.reg.Handle("B", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
	}, func(ctx context.Context, r *rig) {
		var claims atomic.Int32
		var broken atomic.Bool
		s := &wrapped{Store: r.store}
		s.settle = func(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) ([]driver.Held, error) {
			if slices.ContainsFunc(outcomes, func(o driver.Outcome) bool { return o.Kind == driver.Dead }) {
				return nil, errNoGrant
			}
			return r.store.Settle(ctx, owner, outcomes, keep)
		}
		s.claim = func(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
			if claims.Add(1); broken.CompareAndSwap(true, false) {
				return nil, outbox.ErrStoreDown
			}
			return r.store.Claim(ctx, req)
		}
		r.over(s, everySecond)
		r.writeCold(ctx, event("A", 1))
		r.run()
		pass(10 * time.Second)
		broken.Store(true)
		pass(10 * time.Second)
		if broken.Load() {
			t.Fatal("no claim failed")
		}
		before := claims.Load()
		pass(time.Hour)
		if n := claims.Load() - before; n < 3000 {
			t.Errorf("%d claims in an hour, expected one a second", n)
		}
		r.writeCold(ctx, event("B", 1))
		pass(5 * time.Second)
		if r.seen.times("B-00001") != 1 {
			t.Error("an event of another type is not delivered")
		}
	})
}

func TestPollingGoesOnWhenTheDatabaseWasAwayBetweenTwoRuns(t *testing.T) {
	bubble(t, everySecond, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			if r.seen.note(e); e.ID == "A-00000" {
				<-r.gate
			}
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		f := r.flaky(everySecond)
		r.writeCold(ctx, event("A", 0))
		r.run()
		pass(2 * time.Second)
		f.Plan(func(outboxtest.Op, int) outboxtest.Fault { return outboxtest.Refuse })
		close(r.gate) // its outcome cannot be written
		pass(2 * time.Second)
		r.stop()
		r.run()
		pass(time.Minute)
		f.Plan(nil)
		pass(time.Hour)
		if n := f.Calls(outboxtest.OpClaim); n < 3000 {
			t.Errorf("%d claims in an hour, expected one a second", n)
		}
		r.writeCold(ctx, event("A", 1))
		pass(5 * time.Second)
		if r.seen.times("A-00001") != 1 {
			t.Error("an event that was written afterwards is not delivered")
		}
		if n := r.seen.times("A-00000"); n > 2 {
			t.Errorf("the event whose outcome was lost ran %d times", n)
		}
	})
}
