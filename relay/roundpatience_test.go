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
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/memstore"
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

// While the round waits for a claim nobody looks whether outcomes are written, and there
// are none.
func TestARoundDoesNotTakeASlowClaimForOutcomesThatCannotBeWritten(t *testing.T) {
	const claim, settle = 8 * time.Second, 2 * time.Second
	var claiming atomic.Bool
	bubble(t, everySecond, func(r *rig) {
		r.reg.Handle("A", func(context.Context, outbox.Event) error {
			for !claiming.Load() {
				<-time.After(10 * time.Millisecond)
			}
			<-time.After(claim - 50*time.Millisecond)
			return nil
		})
		r.reg.Handle("B", func(context.Context, outbox.Event) error { return nil })
	}, func(ctx context.Context, r *rig) {
		s := &slow{Store: r.store, settle: settle, claim: func(req driver.ClaimRequest) {
			if slices.ContainsFunc(req.Wants, func(w driver.Want) bool { return w.Lane == "B" }) {
				claiming.Store(true)
				<-time.After(claim)
			}
		}}
		r.over(s, everySecond)
		b := driver.PausableLane("B")
		if err := r.store.SetPaused(ctx, b, true, "test"); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(3*time.Second, func() {
			if err := r.store.SetPaused(ctx, b, false, "test"); err != nil {
				t.Error(err)
			}
		})
		r.writeCold(ctx, event("A", 1))
		if rep, err := r.relay.RunOnce(ctx); rep != (relay.Report{Delivered: 1}) || err != nil {
			t.Errorf("%+v, %v", rep, err)
		}
	})
}

// slow is a store that can pause lanes, and takes its time.
type slow struct {
	*memstore.Store
	claim  func(driver.ClaimRequest)
	settle time.Duration
}

func (s *slow) Claim(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
	s.claim(req)
	return s.Store.Claim(ctx, req)
}

func (s *slow) Settle(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) ([]driver.Held, error) {
	if err := failAfter(ctx, s.settle, nil); err != nil {
		return nil, err
	}
	return s.Store.Settle(ctx, owner, outcomes, keep)
}
