package hazelcaststore

import (
	"context"
	"fmt"

	"github.com/sendoff-go/outbox/driver"
)

// Settle implements [driver.Store], but for the transaction: each outcome is
// applied by itself. After an error some are applied and others are not; a
// repetition reports the former as stale, and what nobody repeats is delivered
// again after the lease.
func (s *Store) Settle(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keepDone bool) (stale []driver.Held, err error) {
	claims := make([]driver.Held, len(outcomes))
	for i, o := range outcomes {
		if o.Kind < driver.Done || o.Kind > driver.Release {
			return nil, fmt.Errorf("hazelcaststore: event %s has an outcome of unknown kind %d", o.EventID, o.Kind)
		}
		claims[i] = o.Held
	}
	err = s.call(ctx, func(ctx context.Context, m *tables) error {
		held, err := s.alter(ctx, m, owner, claims, func(ctx context.Context, i int, r *row) (bool, error) {
			return s.apply(ctx, m, r, outcomes[i], keepDone)
		})
		stale = missed(claims, held)
		return err
	})
	if err != nil {
		return nil, err
	}
	return stale, nil
}

// apply returns false if somebody changed the row meanwhile.
func (s *Store) apply(ctx context.Context, m *tables, r *row, o driver.Outcome, keepDone bool) (bool, error) {
	next := r.entry
	switch o.Kind {
	case driver.Done:
		if !keepDone {
			return s.remove(ctx, m.events, r)
		}
		next.Done = at(s.clock.tick())
		next.end(statusDelivered)
		next.unlock()
	case driver.Retry:
		next.Attempts, next.Error, next.Failures = o.Attempts, o.Error, string(o.Failures)
		next.Due = at(s.clock.tick() + micros(o.Delay))
		next.free()
	case driver.Release:
		next.Attempts = o.Attempts
		if o.Delay > 0 {
			next.Due = at(s.clock.tick() + micros(o.Delay))
		}
		if len(o.Failures) > 0 {
			next.Failures = string(o.Failures)
		}
		next.free()
	case driver.Dead:
		return s.bury(ctx, m, r, o)
	}
	return s.replace(ctx, m.events, r, next)
}

// bury moves a row to the dead letters. The first step decides: the row is
// marked as failed, with all that the letter needs. Then the letter is written,
// and then the row deleted. Whoever finds a row that stayed marked takes the
// other two.
func (s *Store) bury(ctx context.Context, m *tables, r *row, o driver.Outcome) (bool, error) {
	next := r.entry
	next.Attempts, next.Error, next.Failures = o.Attempts, o.Error, string(o.Failures)
	next.Done, next.Mend = at(s.clock.tick()), at(s.clock.now()+micros(s.mendAfter()))
	next.end(statusFailed)
	next.unlock()
	if ok, err := s.replace(ctx, m.events, r, next); !ok || err != nil {
		return ok, err
	}
	return true, s.moveToDead(ctx, m, r)
}

// moveToDead may be repeated, also by others at the same time.
func (s *Store) moveToDead(ctx context.Context, m *tables, r *row) error {
	l := newLetter(&r.entry)
	if _, err := m.letters.putIfAbsent(ctx, l.key(), encode(l), 0); err != nil {
		return err
	}
	_, err := s.remove(ctx, m.events, r)
	return err
}

// remove deletes a row if it is as it was read.
func (s *Store) remove(ctx context.Context, t *table, r *row) (bool, error) {
	ok, err := t.remove(ctx, r.ID, r.raw)
	if ok {
		r.raw = nil
	}
	return ok, err
}
