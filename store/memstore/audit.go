package memstore

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// audit notes a change. It is called with the lock held.
func (s *Store) audit(a driver.Act, action driver.AuditAction, job string, subjects []string) {
	s.lastAudit++
	s.log = append(s.log, driver.AuditEntry{ID: s.lastAudit, At: s.now(), Act: a, Action: action, Job: job, Subjects: subjects})
}

// ListAudit implements [driver.AuditStore].
func (s *Store) ListAudit(ctx context.Context, f driver.AuditFilter, before int64, limit int) (found []driver.AuditEntry, next int64, err error) {
	if err := s.lock(ctx); err != nil {
		return nil, 0, err
	}
	defer s.mu.Unlock()
	for _, e := range slices.Backward(s.log) {
		switch {
		case before != 0 && e.ID >= before || !audited(f, &e):
		case len(found) < limit:
			e.Subjects = slices.Clone(e.Subjects)
			found = append(found, e)
		case limit > 0:
			return found, found[limit-1].ID, nil
		}
	}
	return found, 0, nil
}

// audited reports whether a filter matches an entry.
func audited(f driver.AuditFilter, e *driver.AuditEntry) bool {
	return (f.By == "" || e.By == f.By) &&
		(f.Action == "" || e.Action == f.Action) &&
		(f.Job == "" || e.Job == f.Job) &&
		(f.After.IsZero() || e.At.After(f.After)) &&
		(f.Before.IsZero() || e.At.Before(f.Before))
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
		if s.held[strconv.FormatInt(e.ID, 10)] > 0 {
			return false
		}
		looked++
		return looked <= limit && now.Sub(e.At) >= age
	})
	return before - len(s.log), nil
}
