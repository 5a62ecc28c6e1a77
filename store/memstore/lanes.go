package memstore

import (
	"cmp"
	"context"
	"slices"

	"github.com/sendoff-go/outbox"
)

// Lanes implements [outbox.Store]. A lane counts as waiting while it has a
// pending row, also if that row is held or not due yet.
func (s *Store) Lanes(ctx context.Context, after string, limit int) ([]outbox.WaitingLane, error) {
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	now := s.now()
	byName := map[string]outbox.WaitingLane{}
	for _, r := range s.rows {
		lane, age := r.event.Type, now.Sub(r.availableAt)
		if !r.pending() || lane <= after {
			continue
		}
		if known, ok := byName[lane]; !ok || age > known.Age {
			byName[lane] = outbox.WaitingLane{Lane: lane, Age: age}
		}
	}
	lanes := make([]outbox.WaitingLane, 0, len(byName))
	for _, l := range byName {
		lanes = append(lanes, l)
	}
	slices.SortFunc(lanes, func(a, b outbox.WaitingLane) int { return cmp.Compare(a.Lane, b.Lane) })
	return lanes[:min(len(lanes), max(limit, 0))], nil
}
