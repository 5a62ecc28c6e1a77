package memstore

import (
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// Peek is how a row stands: who has claimed it and until when, under which
// number, and whether it is still to be delivered. Found is false if there is no
// such row. It is for tests.
func (s *Store) Peek(id string) (owner driver.Owner, until time.Time, claimNo int64, pending, found bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.rows[id]
	if r == nil {
		return "", time.Time{}, 0, false, false
	}
	return r.lockedBy, r.lockedUntil, r.claimNo, r.pending(), true
}
