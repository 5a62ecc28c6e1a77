package memstore

import (
	"slices"
	"sync"

	"github.com/sendoff-go/outbox/driver"
)

// LockRow locks the row of an event until release is called, like another
// session that has changed it and not committed yet. Claim, Take, Sweep and
// ExpireWritten skip it; Renew and Settle return a [driver.LockedError] at
// once, where a database would wait first. It is for tests.
//
// It locks the row, not the id: if no row has the id, it locks nothing. A row
// can be locked more than once, and release may be called more than once.
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

// LockKept locks the dead letters of an event, or the group, the alert, the job or the
// entry of the audit log of that id, until release is called, like another session that has changed it and not
// committed yet. Sweeps leave it out; other calls do not heed it. It is for tests.
func (s *Store) LockKept(id string) (release func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held[id]++
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.held[id]--; s.held[id] == 0 {
			delete(s.held, id)
		}
	})
}

// lockedRows collects the claims that a call had to skip.
type lockedRows []driver.Held

// has reports whether the claim belongs to a row that was skipped. A claim that
// was sent twice is named once.
func (l *lockedRows) has(r *row, h driver.Held) bool {
	if !r.taken() {
		return false
	}
	if !slices.Contains(*l, h) {
		*l = append(*l, h)
	}
	return true
}

// err is an untyped nil if there are none.
func (l lockedRows) err() error {
	if len(l) == 0 {
		return nil
	}
	return &driver.LockedError{Rows: l}
}
