package memstore

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// ListEvents implements [driver.EventStore].
func (s *Store) ListEvents(ctx context.Context, f driver.EventFilter, after *driver.EventCursor, limit int) (out []driver.StoredEvent, next *driver.EventCursor, err error) {
	if err := s.lock(ctx); err != nil {
		return nil, nil, err
	}
	defer s.mu.Unlock()
	var found []*row
	for _, r := range s.rows {
		if (after == nil || r.seq < after.Seq) && r.matches(f, s.now()) {
			found = append(found, r)
		}
	}
	slices.SortFunc(found, func(a, b *row) int { return cmp.Compare(b.seq, a.seq) })
	for _, r := range found[:min(len(found), max(limit, 0))] {
		out = append(out, r.stored(s.now()))
	}
	if len(out) > 0 && len(out) < len(found) {
		next = out[len(out)-1].Cursor()
	}
	return out, next, nil
}

// CountEvents implements [driver.EventStore].
func (s *Store) CountEvents(ctx context.Context, f driver.EventFilter) (n driver.Count, err error) {
	if err := s.lock(ctx); err != nil {
		return n, err
	}
	defer s.mu.Unlock()
	for _, r := range s.rows {
		if r.matches(f, s.now()) {
			count(&n)
		}
	}
	return n, nil
}

// GetEvent implements [driver.EventStore].
func (s *Store) GetEvent(ctx context.Context, id string) (driver.StoredEvent, bool, error) {
	if err := s.lock(ctx); err != nil {
		return driver.StoredEvent{}, false, err
	}
	defer s.mu.Unlock()
	r := s.rows[id]
	if r == nil {
		return driver.StoredEvent{}, false, nil
	}
	return r.stored(s.now()), true, nil
}

func (r *row) matches(f driver.EventFilter, now time.Time) bool {
	return (f.Lane == "" || r.event.Type == f.Lane) &&
		(f.Tenant == "" || r.event.TenantID == f.Tenant) &&
		(f.Key == "" || r.event.AggregateID == f.Key) &&
		(f.Status == "" || r.state(now) == f.Status) &&
		(f.WrittenAfter.IsZero() || r.createdAt.After(f.WrittenAfter)) &&
		(f.WrittenBefore.IsZero() || r.createdAt.Before(f.WrittenBefore)) &&
		(!f.Unerased || r.event.Headers[driver.Erased] == "")
}

func (r *row) state(now time.Time) driver.EventStatus {
	switch {
	case !r.pending():
		return driver.EventDone
	case r.locked(now):
		return driver.EventHeld
	}
	return driver.EventWaiting
}

// stored is the row as it is listed. It shares no memory with the row.
func (r *row) stored(now time.Time) driver.StoredEvent {
	return driver.StoredEvent{
		Event: r.event.Clone(), Held: r.held(), Status: r.state(now), Attempts: r.attempts,
		AvailableAt: r.availableAt, CreatedAt: r.createdAt, DoneAt: r.doneAt,
		LockedBy: r.lockedBy, LockedUntil: r.lockedUntil,
		Error: r.lastError, Failures: driver.ParseFailures(r.failures),
	}
}
