package kvstore

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// Settle implements [driver.Store].
func (s *Store) Settle(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keepDone bool) (stale []driver.Held, err error) {
	for _, o := range outcomes {
		if o.Kind < driver.Done || o.Kind > driver.Release {
			return nil, fmt.Errorf("kvstore: event %s has an outcome of unknown kind %d", o.EventID, o.Kind)
		}
	}
	err = s.change(ctx, func(next *state, now time.Time) {
		for _, o := range outcomes {
			r := next.Rows[o.EventID]
			if !r.heldAs(owner, o.Held) {
				stale = append(stale, o.Held)
				continue
			}
			next.settle(r, o, now, keepDone)
		}
	})
	if err != nil {
		return nil, err
	}
	return stale, nil
}

func (st *state) settle(r row, o driver.Outcome, now time.Time, keepDone bool) {
	switch o.Kind {
	case driver.Done:
		r.DoneAt, r.LockedBy, r.LockedUntil = now, "", time.Time{}
	case driver.Retry:
		r.Attempts, r.Failures = o.Attempts, slices.Clone(o.Failures)
		r.AvailableAt = now.Add(o.Delay)
		r.giveUp()
	case driver.Release:
		r.Attempts = o.Attempts
		if o.Delay > 0 { // without one it keeps its place
			r.AvailableAt = now.Add(o.Delay)
		}
		if len(o.Failures) > 0 { // an answer was lost
			r.Failures = slices.Clone(o.Failures)
		}
		r.giveUp()
	case driver.Dead:
		r.Attempts, r.Failures = o.Attempts, slices.Clone(o.Failures)
		st.Dead = append(st.Dead, r)
	}
	if o.Kind == driver.Dead || o.Kind == driver.Done && !keepDone {
		delete(st.Rows, r.Event.ID)
	} else {
		st.Rows[r.Event.ID] = r
	}
}

// Sweep implements [driver.Store]. Nothing is deleted that was not delivered.
func (s *Store) Sweep(ctx context.Context, age time.Duration, limit int) (n int, err error) {
	err = s.change(ctx, func(next *state, now time.Time) {
		for id, r := range next.Rows {
			if n < limit && !r.pending() && !r.DoneAt.After(now.Add(-age)) {
				delete(next.Rows, id)
				n++
			}
		}
	})
	if err != nil {
		return 0, err
	}
	return n, nil
}
