package relay_test

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

var errRefused = errors.New("refused by the test")

// settling is the store, in which a statement with outcomes fails with what f says.
func (r *rig) settling(f func(ctx context.Context, outcomes []driver.Outcome) error) *wrapped {
	s := &wrapped{Store: r.store}
	s.settle = func(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) ([]driver.Held, error) {
		if err := f(ctx, outcomes); err != nil {
			return nil, err
		}
		return r.store.Settle(ctx, owner, outcomes, keep)
	}
	return s
}

// hasOutcome reports whether that of an event is among them.
func hasOutcome(outcomes []driver.Outcome, id string) bool {
	return slices.ContainsFunc(outcomes, func(o driver.Outcome) bool { return o.EventID == id })
}

// failAfter returns err after a time, or the end of ctx before.
func failAfter(ctx context.Context, after time.Duration, err error) error {
	if after == 0 {
		return err
	}
	select {
	case <-time.After(after):
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}
