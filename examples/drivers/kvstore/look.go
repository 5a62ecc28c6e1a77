package kvstore

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// Confirm implements [driver.Store].
func (s *Store) Confirm(ctx context.Context, rows []driver.Held) (there []driver.Held, err error) {
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.unlock()
	for _, h := range rows {
		if h.ClaimNo == 0 && s.now.Rows[h.EventID].heldAs("", h) {
			there = append(there, h)
		}
	}
	return there, nil
}

// Lanes implements [driver.Store]. A lane waits while it has a pending row, also
// one that is held or not due yet.
func (s *Store) Lanes(ctx context.Context, after string, limit int) ([]driver.WaitingLane, error) {
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.unlock()
	now, ages := clock(), map[string]time.Duration{}
	for _, r := range s.now.Rows {
		lane, age := r.Event.Type, now.Sub(r.AvailableAt)
		if known, seen := ages[lane]; r.pending() && lane > after && (!seen || age > known) {
			ages[lane] = age
		}
	}
	var lanes []driver.WaitingLane
	for lane, age := range ages {
		lanes = append(lanes, driver.WaitingLane{Lane: lane, Age: age})
	}
	slices.SortFunc(lanes, func(a, b driver.WaitingLane) int { return cmp.Compare(a.Lane, b.Lane) })
	return lanes[:min(max(limit, 0), len(lanes))], nil
}
