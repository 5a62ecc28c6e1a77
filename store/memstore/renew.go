package memstore

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// Renew implements [driver.Store]. A claim whose lease has run out and that
// nobody else took is still held.
func (s *Store) Renew(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Renewal) (lost []driver.Held, err error) {
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	until := s.now().Add(lease)
	var locked lockedRows
	for _, n := range rows {
		r := s.rows[n.EventID]
		if !r.heldAs(owner, n.Held) {
			lost = append(lost, n.Held)
			continue
		}
		if locked.has(r, n.Held) {
			continue
		}
		r.lockedUntil = until
		if n.Attempts != 0 {
			r.attempts = max(n.Attempts, 0)
		}
	}
	return lost, locked.err()
}

// Confirm implements [driver.Store].
func (s *Store) Confirm(ctx context.Context, rows []driver.Held) ([]driver.Held, error) {
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	var there []driver.Held
	for _, h := range rows {
		if h.ClaimNo == 0 && s.rows[h.EventID].heldAs("", h) {
			there = append(there, h)
		}
	}
	return there, nil
}
