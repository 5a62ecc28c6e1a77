package memstore

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// ReplayDone implements [driver.ReplayStore]. It raises the claim number, which
// fences off outcomes of earlier claims.
func (s *Store) ReplayDone(ctx context.Context, events []driver.Replay) ([]driver.DeadResult, error) {
	ids := make([]string, len(events))
	for i, e := range events {
		ids[i] = e.EventID
	}
	return s.eachDelivered(ctx, driver.AuditReplay, ids, func(i int, r *row) driver.DeadStatus {
		if id := events[i].NewID; id != "" {
			c := r.event.Clone()
			c.ID = id
			if c.Headers = maps.Clone(c.Headers); c.Headers == nil {
				c.Headers = map[string]string{}
			}
			c.Headers[driver.ReplayOf] = r.event.ID
			s.put(&row{event: c, seq: s.nextSeq(), availableAt: s.now(), createdAt: s.now()})
			return driver.DeadApplied
		}
		s.change(r, func() {
			*r = row{event: r.event, seq: r.seq, claimNo: r.claimNo + 1, availableAt: s.now(), createdAt: r.createdAt, sessions: r.sessions,
				failures: json.RawMessage(driver.EarlierFailures)}
		})
		return driver.DeadApplied
	})
}

// EraseDone implements [driver.EraseStore].
func (s *Store) EraseDone(ctx context.Context, ids []string) ([]driver.DeadResult, error) {
	return s.eachDelivered(ctx, driver.AuditErase, ids, func(_ int, r *row) driver.DeadStatus {
		erase(&r.event)
		r.lastError, r.failures = "", nil
		return driver.DeadApplied
	})
}

// EraseDead implements [driver.EraseStore].
func (s *Store) EraseDead(ctx context.Context, keys []driver.DeadKey) ([]driver.DeadResult, error) {
	return s.eachDead(ctx, driver.AuditErase, keys, func(l *letter) driver.DeadStatus {
		erase(&l.Event)
		l.Error, l.Failures, l.Note = "", nil, ""
		if !l.resolved() {
			l.ResolvedAt = s.now()
		}
		return driver.DeadApplied
	})
}

// erase blanks the contents of an event.
func erase(e *outbox.Event) {
	if e.Headers = map[string]string{driver.Erased: "true"}; e.JSON != nil {
		e.JSON = json.RawMessage("null")
		return
	}
	e.Bytes = []byte{}
}

// eachDelivered answers for every id, in the caller's order.
func (s *Store) eachDelivered(ctx context.Context, action driver.AuditAction, ids []string, f func(int, *row) driver.DeadStatus) ([]driver.DeadResult, error) {
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	if err := s.mayStep(ctx); err != nil {
		return nil, err
	}
	done := map[string]*row{}
	for _, id := range slices.Compact(slices.Sorted(slices.Values(ids))) {
		if r := s.rows[id]; r != nil && !r.pending() && (action != driver.AuditReplay || r.event.Headers[driver.Erased] == "") {
			done[id] = r
		}
	}
	results := make([]driver.DeadResult, len(ids))
	for i, id := range ids {
		results[i] = driver.DeadResult{ID: id, Status: driver.DeadNotFound}
		if r := done[id]; r != nil {
			results[i].Status = f(i, r)
		} else if s.rows[id] != nil && action == driver.AuditErase {
			results[i].Status = driver.DeadConflict
		}
	}
	s.close(ctx, action, results)
	return results, nil
}
