package memstore

import (
	"context"
	"slices"

	"github.com/sendoff-go/outbox/driver"
)

// ReplayDead implements [driver.DeadLetterStore]. The row has a new seq and a
// number above the letter's, so no outcome from before its death fits it.
func (s *Store) ReplayDead(ctx context.Context, ids []string) ([]driver.DeadResult, error) {
	return s.eachDead(ctx, driver.AuditReplay, ids, func(l *letter) driver.DeadStatus {
		id := l.Event.ID
		if s.rows[id] != nil || s.writing[id] != nil {
			return driver.DeadConflict
		}
		s.rows[id] = &row{
			event:       l.Event,
			seq:         s.nextSeq(),
			claimNo:     l.ClaimNo + 1,
			availableAt: s.now(),
			createdAt:   l.CreatedAt,
		}
		s.dead = slices.DeleteFunc(s.dead, func(d *letter) bool { return d == l })
		return driver.DeadApplied
	})
}

// ResolveDead implements [driver.DeadLetterStore], for every letter of the id.
// Resolving twice keeps the first time.
func (s *Store) ResolveDead(ctx context.Context, ids []string) ([]driver.DeadResult, error) {
	return s.eachDead(ctx, driver.AuditResolve, ids, func(l *letter) driver.DeadStatus {
		for _, d := range s.dead {
			if d.Event.ID == l.Event.ID && !d.resolved() {
				d.ResolvedAt = s.now()
			}
		}
		return driver.DeadApplied
	})
}

// DeleteDead implements [driver.DeadLetterStore], for every letter of the id.
func (s *Store) DeleteDead(ctx context.Context, ids []string) ([]driver.DeadResult, error) {
	return s.eachDead(ctx, driver.AuditDelete, ids, func(l *letter) driver.DeadStatus {
		s.dead = slices.DeleteFunc(s.dead, func(d *letter) bool { return d.Event.ID == l.Event.ID })
		return driver.DeadApplied
	})
}

// eachDead answers for every id, in the caller's order.
func (s *Store) eachDead(ctx context.Context, action driver.AuditAction, ids []string, f func(*letter) driver.DeadStatus) ([]driver.DeadResult, error) {
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	var changed []string
	results := make([]driver.DeadResult, len(ids))
	for i, id := range ids {
		results[i] = driver.DeadResult{ID: id, Status: driver.DeadNotFound}
		if l := s.letterOf(id); l != nil {
			results[i].Status = f(l)
		}
		if results[i].Status == driver.DeadApplied && !slices.Contains(changed, id) {
			changed = append(changed, id)
		}
	}
	if a, ok := driver.ActOf(ctx); ok && len(changed) > 0 {
		s.audit(a, action, changed)
	}
	return results, nil
}
