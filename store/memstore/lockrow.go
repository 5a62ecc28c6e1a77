package memstore

import (
	"slices"
	"sync"

	"github.com/sendoff-go/outbox/driver"
)

// LockRow locks the row of an event as another session of a database does that
// has changed it and not committed yet, until release is called. Claim, Take,
// Sweep and ExpireWritten leave it out; Renew and Settle answer at once with an
// [driver.LockedError], where a database would wait before. It is for tests.
//
// It locks the row and not the id: where no row has the id, it locks nothing.
// A row can be locked more than once, and release may be called more than once.
func (s *Store) LockRow(id string) (release func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.rows[id]
	if r == nil {
		return func() {}
	}
	r.sessions++
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		r.sessions--
	})
}

// lockedRows collects the claims that a call had to leave out.
type lockedRows []driver.Held

// has tells that the claim belongs to a row that was left out. A claim that was
// sent twice is named once.
func (l *lockedRows) has(r *row, h driver.Held) bool {
	if !r.taken() {
		return false
	}
	if !slices.Contains(*l, h) {
		*l = append(*l, h)
	}
	return true
}

// err is nil, without a type, for none.
func (l lockedRows) err() error {
	if len(l) == 0 {
		return nil
	}
	return &driver.LockedError{Rows: l}
}
