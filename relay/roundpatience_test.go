package relay_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay"
)

// With the defaults a statement may take as long as a drain.
func TestARoundWaitsForStatementsThatTakeLong(t *testing.T) {
	bubble(t, everySecond, recordA, func(ctx context.Context, r *rig) {
		r.over(r.settling(func(ctx context.Context, _ []driver.Outcome) error { return failAfter(ctx, 6*time.Second, nil) }), everySecond)
		r.writeCold(ctx, events("A", 20)...)
		r.wantRound(ctx, everySecond, 20, 5)
	})
}

func TestARoundEndsAlthoughAStatementHangs(t *testing.T) {
	bubble(t, everySecond, recordA, func(ctx context.Context, r *rig) {
		r.over(r.settling(func(ctx context.Context, _ []driver.Outcome) error { <-ctx.Done(); return ctx.Err() }), everySecond)
		r.writeCold(ctx, events("A", 5)...)
		limit, cancel := context.WithTimeout(ctx, time.Hour)
		defer cancel()
		begun := time.Now()
		if _, err := r.relay.RunOnce(limit); !errors.Is(err, relay.ErrUnsettled) {
			t.Errorf("after %s: %v", time.Since(begun), err)
		}
	})
}

// One of a batch dies, and the table of dead letters is locked: the statement runs into
// its deadline, and the others are written after it.
func TestARoundWritesWhatSharedAStatementWithOneThatTakesTooLong(t *testing.T) {
	for _, dead := range []string{"A-00000", "A-00019"} {
		t.Run(dead, func(t *testing.T) {
			bubble(t, everySecond, func(r *rig) {
				r.reg.HandleBatch("A", func(_ context.Context, es []outbox.Event) []error {
					errs := make([]error, len(es))
					for i, e := range es {
						if e.ID == dead {
							errs[i] = outbox.Permanent(errBoom)
						}
					}
					return errs
				})
			}, func(ctx context.Context, r *rig) {
				r.over(r.failingFor(driver.Dead, context.DeadlineExceeded, 5*time.Second), everySecond)
				r.writeCold(ctx, events("A", 20)...)
				begun := time.Now()
				rep, err := r.relay.RunOnce(ctx)
				if want := (relay.Report{Delivered: 19}); rep != want || !errors.Is(err, relay.ErrUnsettled) {
					t.Errorf("%+v, %v", rep, err)
				}
				if took := time.Since(begun); took > time.Minute {
					t.Errorf("the round took %s", took)
				}
			})
		})
	}
}

// Nothing is unsettled: the event waits for its attempt to be written, before it runs.
func TestARoundEndsAlthoughTheAttemptOfASuspectCannotBeWritten(t *testing.T) {
	bubble(t, everySecond, recordA, func(ctx context.Context, r *rig) {
		r.writeCold(ctx, event("A", 1))
		r.diesWith(ctx, 3)
		s := r.settling(func(context.Context, []driver.Outcome) error { return outbox.ErrStoreDown })
		s.renew = func(context.Context, driver.Owner, time.Duration, []driver.Renewal) ([]driver.Held, error) {
			return nil, outbox.ErrStoreDown
		}
		r.over(s, everySecond)
		r.givesUp(ctx)
	})
}

func TestARoundDoesNotReportAHistoryThatTheDatabaseRefusesToBegin(t *testing.T) {
	bubble(t, everySecond, recordA, func(ctx context.Context, r *rig) {
		r.writeCold(ctx, event("A", 1))
		r.diesWith(ctx, 3)
		r.over(r.settling(func(context.Context, []driver.Outcome) error { return errRefused }), everySecond)
		if rep, err := r.relay.RunOnce(ctx); rep != (relay.Report{}) || !errors.Is(err, relay.ErrUnsettled) {
			t.Errorf("%+v, %v", rep, err)
		}
	})
}
