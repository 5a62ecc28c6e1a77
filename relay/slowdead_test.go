package relay_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay"
)

// Law 7. Somebody locks the table of dead letters: statements with the outcomes of some
// types take long, and fail. They must not use up the time of all others.
func TestSlowDeadLettersOfManyTypesStopNoOther(t *testing.T) {
	for _, c := range []struct {
		types, every int // one of each type in so many seconds
		after        time.Duration
	}{
		{3, 1, 5 * time.Second}, {10, 5, 5 * time.Second}, {10, 1, time.Second},
	} {
		t.Run(fmt.Sprintf("%d types, one in %d s, %s", c.types, c.every, c.after), func(t *testing.T) {
			cfg := relay.Config{Lane: relay.LaneConfig{Interval: time.Second}}
			bubble(t, cfg, badTypesAndGood(c.types), func(ctx context.Context, r *rig) {
				r.over(r.failingFor(driver.Dead, context.DeadlineExceeded, c.after), cfg)
				r.run()
				for i := range 200 {
					for j := range c.types {
						if i%c.every == 0 {
							r.write(ctx, event(badType(j), i))
						}
					}
					r.write(ctx, event("B", i))
					pass(time.Second)
				}
				if n := r.stats(ctx).Done.N; n < 190 {
					t.Errorf("%d of 200 others are settled", n)
				}
			})
		})
	}
}

// What is sent apart for another reason has its turns beside them.
func TestSlowDeadLettersDoNotKeepARowThatWasLockedFromBeingSettled(t *testing.T) {
	const locked, unlocked = 20, 24 // seconds
	for _, types := range []int{1, 2, 4} {
		t.Run(fmt.Sprintf("%d types", types), func(t *testing.T) {
			cfg := relay.Config{Lane: relay.LaneConfig{Interval: time.Second}}
			var unlock func()
			bubble(t, cfg, func(r *rig) {
				badTypesAndGood(types)(r)
				r.reg.Handle("C", func(_ context.Context, e outbox.Event) error {
					unlock = r.store.LockRow(e.ID)
					return nil
				})
			}, func(ctx context.Context, r *rig) {
				r.over(r.failingFor(driver.Dead, context.DeadlineExceeded, 5*time.Second), cfg)
				r.run()
				settled := false
				for i := 0; i < unlocked+60 && !settled; i++ {
					for j := range types {
						r.write(ctx, event(badType(j), i))
					}
					r.write(ctx, event("B", i))
					switch i {
					case locked:
						r.write(ctx, event("C", 0))
					case unlocked:
						unlock()
					}
					pass(time.Second)
					settled = i > unlocked && r.stats(ctx).Done.N == int64(i+2) // each B, and C
				}
				if !settled {
					t.Errorf("its outcome, or that of another, is not written within a minute; %d are", r.stats(ctx).Done.N)
				}
			})
		})
	}
}
