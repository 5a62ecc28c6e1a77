//go:build !race

package relay_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// One in ten events of type A has an outcome that cannot be written, for ever, and all
// of type B can be. Since others are written, type A seems to be to blame as a whole.
func TestATypeOfWhichSomeOutcomesCannotBeWrittenIsWrittenForTheRest(t *testing.T) {
	const minutes = 20
	for name, c := range map[string]struct {
		perSecond int
		err       error
		after     time.Duration
	}{
		"it ends the connection at once":   {2, outbox.ErrStoreDown, 0},
		"it ends the connection":           {2, outbox.ErrStoreDown, 250 * time.Millisecond},
		"it ends the connection, and more": {5, outbox.ErrStoreDown, 250 * time.Millisecond},
		"it is refused":                    {5, errRefused, 100 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, everySecond, func(r *rig) {
				r.reg.Handle("A", func(context.Context, outbox.Event) error { return nil })
				r.reg.Handle("B", func(context.Context, outbox.Event) error { return nil })
			}, func(ctx context.Context, r *rig) {
				var written [2]atomic.Int64 // of each type
				s := r.settling(func(ctx context.Context, outcomes []driver.Outcome) error {
					for _, o := range outcomes {
						if strings.HasPrefix(o.EventID, "A") && strings.HasSuffix(o.EventID, "5") {
							return failAfter(ctx, c.after, c.err)
						}
					}
					for _, o := range outcomes {
						written[o.EventID[0]-'A'].Add(1)
					}
					return nil
				})
				r.over(s, everySecond)
				r.run()
				a, b := 0, 0
				for range 60 * minutes {
					for range c.perSecond {
						r.write(ctx, event("A", a))
						a++
						for range 4 {
							r.write(ctx, event("B", b))
							b++
						}
						pass(time.Second / time.Duration(c.perSecond))
					}
				}
				for i, want := range []int{a - a/10, b} {
					if n := int(written[i].Load()); n < want-20 { // the last ones may be under way
						t.Errorf("%d of %d outcomes of type %c are written", n, want, 'A'+i)
					}
				}
			})
		})
	}
}

// Many types have nothing but outcomes that end the connection, and an event of another
// type is delivered now and then.
func TestASingleOutcomeDoesNotWaitForEachTypeWhoseOutcomesCannotBeWritten(t *testing.T) {
	const types = 60
	bubble(t, everySecond, badTypesAndGood(types), func(ctx context.Context, r *rig) {
		r.over(r.failingFor(driver.Dead, outbox.ErrStoreDown, time.Second), everySecond)
		r.run()
		for i := range types {
			r.writeCold(ctx, events(badType(i), 3)...)
		}
		pass(time.Minute)
		for i := range 10 {
			r.write(ctx, event("B", i))
			begun := time.Now()
			for r.stats(ctx).Done.N <= int64(i) && time.Since(begun) < time.Minute {
				pass(100 * time.Millisecond)
			}
			if took := time.Since(begun); took > 5*time.Second {
				t.Errorf("event %d was written after %s", i, took)
			}
			pass(2 * time.Minute)
		}
	})
}

// A statement that meets a locked row takes as long as the store waits for it.
func TestLockedRowsDoNotKeepWhatFailedFromBeingSentAgain(t *testing.T) {
	for name, err := range map[string]error{"it was refused": errRefused, "it took too long": context.DeadlineExceeded} {
		for _, locks := range []int{1, 3, 5} {
			t.Run(fmt.Sprintf("%s, %d rows are locked", name, locks), func(t *testing.T) {
				bubble(t, everySecond, func(r *rig) {
					r.reg.Handle("L", func(_ context.Context, e outbox.Event) error { r.store.LockRow(e.ID); return nil })
					recordA(r)
				}, func(ctx context.Context, r *rig) {
					s := r.lockable()
					settle := s.settle
					var fails atomic.Int64
					s.settle = func(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) ([]driver.Held, error) {
						if hasOutcome(outcomes, "A-00000") && fails.Add(1) <= 2 {
							return nil, err
						}
						return settle(ctx, owner, outcomes, keep)
					}
					r.over(s, everySecond)
					r.run()
					r.write(ctx, event("A", 500))
					for i := range locks { // one after the other, so that each is in a statement of its own
						r.write(ctx, event("L", i))
						pass(700 * time.Millisecond)
					}
					pass(30 * time.Second)
					r.write(ctx, events("A", 100)...)
					pass(2 * time.Minute)
					if n := r.stats(ctx).Done.N; n != 101 {
						t.Errorf("%d of 101 others are settled", n)
					}
				})
			})
		}
	}
}
