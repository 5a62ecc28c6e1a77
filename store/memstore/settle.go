package memstore

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// Settle implements [driver.Store].
func (s *Store) Settle(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keepDone bool) (stale []driver.Held, err error) {
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	for _, o := range outcomes {
		if o.Kind < driver.Done || o.Kind > driver.Release {
			return nil, fmt.Errorf("memstore: event %s has an outcome of unknown kind %d", o.EventID, o.Kind)
		}
	}
	now := s.now()
	var locked lockedRows
	for _, o := range outcomes {
		r := s.rows[o.EventID]
		if !r.heldAs(owner, o.Held) {
			stale = append(stale, o.Held)
			continue
		}
		if locked.has(r, o.Held) {
			continue
		}
		s.change(r, func() { s.apply(r, o, now, keepDone) })
	}
	return stale, locked.err()
}

func (s *Store) apply(r *row, o driver.Outcome, now time.Time, keepDone bool) {
	switch o.Kind {
	case driver.Done:
		r.status, r.doneAt = statusDone, now
		r.unlock()
		if !keepDone {
			s.drop(r)
		}
	case driver.Retry:
		r.status = statusRetry
		r.attempts = o.Attempts
		r.availableAt = now.Add(o.Delay)
		r.lastError, r.failures = o.Error, slices.Clone(o.Failures)
		r.free()
	case driver.Release:
		r.attempts = o.Attempts
		if o.Delay > 0 {
			r.availableAt = now.Add(o.Delay)
		}
		if len(o.Failures) > 0 {
			r.failures = slices.Clone(o.Failures)
		}
		r.free()
	case driver.Dead:
		s.drop(r)
		s.dead = append(s.dead, newLetter(r, o, now))
	}
}
