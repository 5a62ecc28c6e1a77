package relay_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Law 3. What was refused while the relay asks whether the database is back is not to
// blame, and is not sent one by one.
func TestRefusalsAfterAnOutageMakeNothingComeTwice(t *testing.T) {
	const works, isDown, refuses = 0, 1, 2
	for name, first := range map[string]int64{"refusals": refuses, "an outage, then refusals": isDown} {
		t.Run(name, func(t *testing.T) {
			bubble(t, everySecond, recordA, func(ctx context.Context, r *rig) {
				var mode, sent atomic.Int64
				r.over(r.settling(func(context.Context, []driver.Outcome) error {
					sent.Add(1)
					return []error{works: nil, isDown: outbox.ErrStoreDown, refuses: errRefused}[mode.Load()]
				}), everySecond)
				r.run()
				mode.Store(first)
				r.write(ctx, events("A", 400)...)
				pass(3 * time.Second)
				sent.Store(0)
				mode.Store(refuses)
				pass(3 * time.Second)
				if n := sent.Load(); n > 50 {
					t.Errorf("%d statements within three seconds of refusals", n)
				}
				mode.Store(works)
				pass(time.Minute)
				r.wantOnce("")
				if n := r.stats(ctx).Done.N; n != 400 {
					t.Errorf("%d of 400 events are settled", n)
				}
			})
		})
	}
}

// A statement was refused for one outcome, almost as often as it may be, and the outage
// must not count as one more refusal of the others in it.
func TestAnOutageAfterRefusalsMakesNothingComeTwice(t *testing.T) {
	const refused = "A-00000"
	bubble(t, everySecond, recordA, func(ctx context.Context, r *rig) {
		var down atomic.Bool
		var refusals atomic.Int64
		r.over(r.settling(func(_ context.Context, outcomes []driver.Outcome) error {
			switch {
			case down.Load():
				return outbox.ErrStoreDown
			case !hasOutcome(outcomes, refused):
				return nil
			case refusals.Add(1) == 4:
				down.Store(true)
			}
			return errRefused
		}), everySecond)
		r.run()
		r.write(ctx, events("A", 100)...)
		pass(3 * time.Second)
		if !down.Load() {
			r.t.Fatal("the outage has not begun")
		}
		r.write(ctx, event("A", 1000)) // its statement shows the outage
		pass(40 * time.Second)
		down.Store(false)
		pass(2 * time.Minute)
		r.wantOnce(refused)
		if n := r.stats(ctx).Done.N; n != 100 {
			t.Errorf("%d of 100 others are settled", n)
		}
	})
}
