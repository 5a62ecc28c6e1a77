package memstore

import (
	"context"
	"errors"
	"slices"
	"time"
)

// Sweep implements [driver.Store].
func (s *Store) Sweep(ctx context.Context, age time.Duration, limit int) (int, error) {
	if err := s.lock(ctx); err != nil {
		return 0, err
	}
	defer s.mu.Unlock()
	before, n := s.now().Add(-age), 0
	for _, r := range s.rows {
		if n < limit && !r.taken() && r.status == statusDone && !r.doneAt.After(before) {
			s.drop(r)
			n++
		}
	}
	return n, nil
}

// SweepDead implements [driver.DeadLetterStore].
func (s *Store) SweepDead(ctx context.Context, age time.Duration, limit int) (int, error) {
	if err := s.lock(ctx); err != nil {
		return 0, err
	}
	defer s.mu.Unlock()
	before, n := s.now().Add(-age), 0
	s.dead = slices.DeleteFunc(s.dead, func(l *letter) bool {
		old := n < limit && s.held[l.EventID] == 0 && l.resolved() && !l.ResolvedAt.After(before)
		if old {
			n++
		}
		return old
	})
	return n, nil
}

// ExpireWritten implements [driver.ExpiringStore]: the one call that deletes
// what was never delivered, and therefore refuses to run while a relay is
// alive.
func (s *Store) ExpireWritten(ctx context.Context, age time.Duration, limit int) (int, error) {
	if err := s.lock(ctx); err != nil {
		return 0, err
	}
	defer s.mu.Unlock()
	now := s.now()
	if len(s.alive(now)) > 0 {
		return 0, errors.New("memstore: a relay is alive on this table: expire by age only what no relay delivers")
	}
	before, n := now.Add(-age), 0
	for _, r := range s.rows {
		if n < limit && !r.taken() && !r.createdAt.After(before) {
			s.drop(r)
			n++
		}
	}
	return n, nil
}

// Expire ends the leases and head starts of those events now, as if their time
// had passed. It is for tests.
func (s *Store) Expire(ctx context.Context, ids ...string) error {
	if err := s.lock(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	for _, id := range ids {
		if r := s.rows[id]; r != nil && !r.lockedUntil.IsZero() {
			r.lockedUntil = s.now()
		}
	}
	return nil
}
