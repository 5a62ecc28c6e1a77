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
	byName := map[string]driver.WaitingLane{}
	for _, r := range s.rows {
		lane, age := r.event.Type, now.Sub(r.availableAt)
		if !r.pending() || lane <= after {
			continue
		}
		if known, ok := byName[lane]; !ok || age > known.Age {
			byName[lane] = driver.WaitingLane{Lane: lane, Age: age}
		}
	}
	lanes := make([]driver.WaitingLane, 0, len(byName))
	for _, l := range byName {
		lanes = append(lanes, l)
	}
	slices.SortFunc(lanes, func(a, b driver.WaitingLane) int { return cmp.Compare(a.Lane, b.Lane) })
	return lanes[:min(len(lanes), max(limit, 0))], nil
}
