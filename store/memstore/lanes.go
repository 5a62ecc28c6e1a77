package memstore

import (
	"cmp"
	"context"
	"slices"

	"github.com/sendoff-go/outbox/driver"
)

// Lanes implements [driver.Store]. A lane counts as waiting while it has a
// pending row, even if that row is held or not due yet.
func (s *Store) Lanes(ctx context.Context, after string, limit int) ([]driver.WaitingLane, error) {
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	now := s.now()
	lanes := make([]driver.WaitingLane, 0, len(s.waiting))
	for lane, rows := range s.waiting {
		if lane > after {
			lanes = append(lanes, driver.WaitingLane{Lane: lane, Age: now.Sub(rows[0].availableAt)})
		}
	}
	slices.SortFunc(lanes, func(a, b driver.WaitingLane) int { return cmp.Compare(a.Lane, b.Lane) })
	return lanes[:min(len(lanes), max(limit, 0))], nil
}
