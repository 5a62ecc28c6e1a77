package memstore

import (
	"context"
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// audit notes a change. It is called with the lock held.
func (s *Store) audit(a driver.Act, action driver.AuditAction, subjects []string) {
	s.lastAudit++
	s.log = append(s.log, driver.AuditEntry{ID: s.lastAudit, At: s.now(), Act: a, Action: action, Subjects: subjects})
}

// ListAudit implements [driver.AuditStore].
func (s *Store) ListAudit(ctx context.Context, before int64, limit int) ([]driver.AuditEntry, error) {
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	var found []driver.AuditEntry
	for _, e := range slices.Backward(s.log) {
		if len(found) < limit && (before == 0 || e.ID < before) {
			e.Subjects = slices.Clone(e.Subjects)
			found = append(found, e)
		}
	}
	return found, nil
}

// SweepAudit implements [driver.AuditStore].
func (s *Store) SweepAudit(ctx context.Context, age time.Duration, limit int) (int, error) {
	if err := s.lock(ctx); err != nil {
		return 0, err
	}
	defer s.mu.Unlock()
	before, now := len(s.log), s.now()
	looked := 0
	s.log = slices.DeleteFunc(s.log, func(e driver.AuditEntry) bool {
		looked++
		return looked <= limit && now.Sub(e.At) >= age
	})
	return before - len(s.log), nil
}
