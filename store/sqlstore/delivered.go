package sqlstore

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/sendoff-go/outbox/driver"
)

// ReplayDone implements [driver.ReplayStore].
func (s *Engine) ReplayDone(ctx context.Context, events []driver.Replay) ([]driver.DeadResult, error) {
	ids := make([]string, len(events))
	for i, e := range events {
		ids[i] = e.EventID
	}
	return s.eachDelivered(ctx, "replay events", driver.AuditReplay, ids, func(ctx context.Context, session *Session, found map[string]headers) error {
		again, copies := newBatch(1, len(events)), newBatch(3, len(events))
		for _, e := range slices.SortedFunc(slices.Values(events), func(a, b driver.Replay) int { return cmp.Compare(a.EventID, b.EventID) }) {
			h, there := found[e.EventID]
			switch {
			case !there:
			case e.NewID == "":
				again.add(e.EventID)
			default:
				text, err := h.with(driver.ReplayOf, e.EventID)
				if err != nil {
					return err
				}
				copies.add(e.EventID, e.NewID, text)
			}
		}
		if err := session.execAny(ctx, s.queries.EventAgain, again); err != nil {
			return err
		}
		return session.execAny(ctx, s.queries.EventCopy, copies)
	})
}

// execAny executes a statement on a batch, unless the batch is empty.
func (s *Session) execAny(ctx context.Context, q Query, b Batch) error {
	if b.Rows() == 0 {
		return nil
	}
	_, err := s.Exec(ctx, q, b)
	return err
}

// EraseDone implements [driver.EraseStore].
func (s *Engine) EraseDone(ctx context.Context, ids []string) ([]driver.DeadResult, error) {
	return s.eachDelivered(ctx, "erase events", driver.AuditErase, ids, func(ctx context.Context, session *Session, found map[string]headers) error {
		if len(found) == 0 {
			return nil
		}
		_, err := session.Exec(ctx, s.queries.EventErase, idBatch(slices.Sorted(maps.Keys(found)))) // not ids: others may be delivered by now
		return err
	})
}

// EraseDead implements [driver.EraseStore].
func (s *Engine) EraseDead(ctx context.Context, keys []driver.DeadKey) ([]driver.DeadResult, error) {
	return s.eachDead(ctx, "erase dead letters", driver.AuditErase, keys, s.applied(s.queries.DeadErase))
}

// headers are those of a stored event, as JSON.
type headers data

// with adds a header to whatever is there, even beyond the limit for writers: one
// event must not keep the others from being copied. It drops headers that cannot
// be read, since they cannot be delivered either.
func (h headers) with(name, value string) (string, error) {
	all, err := driver.DecodeHeaders(h)
	if err != nil || all == nil {
		all = map[string]string{}
	}
	all[name] = value
	delete(all, "")
	text, err := json.Marshal(all)
	return string(text), err
}

// erased reports whether the event was erased.
func (h headers) erased() bool {
	all, err := driver.DecodeHeaders(h)
	return err == nil && all[driver.Erased] != ""
}

// eachDelivered locks delivered events, calls do with those that it found, and
// returns a result for every id, in the caller's order.
func (s *Engine) eachDelivered(ctx context.Context, what string, action driver.AuditAction, ids []string, do func(context.Context, *Session, map[string]headers) error) ([]driver.DeadResult, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	results := make([]driver.DeadResult, len(ids))
	err := s.run(ctx, s.personCall(what, func(ctx context.Context, session *Session) error {
		found, err := session.delivered(ctx, ids)
		if err != nil {
			return err
		}
		if action == driver.AuditReplay {
			maps.DeleteFunc(found, func(_ string, h headers) bool { return h.erased() })
		}
		known, err := session.known(ctx, action, ids)
		if err != nil {
			return err
		}
		if err := do(ctx, session, found); err != nil {
			return err
		}
		for i, id := range ids {
			results[i] = driver.DeadResult{ID: id, Status: driver.DeadNotFound}
			if _, there := found[id]; there {
				results[i].Status = driver.DeadApplied
			} else if known[id] {
				results[i].Status = driver.DeadConflict
			}
		}
		return session.close(ctx, action, results)
	}))
	if err != nil {
		return nil, err
	}
	return results, nil
}

// delivered locks and returns the events among ids that were delivered.
func (s *Session) delivered(ctx context.Context, ids []string) (map[string]headers, error) {
	type event struct {
		id string
		h  data
	}
	scan := func(rows Rows) (e event, err error) { return e, rows.Scan(&e.id, &e.h) }
	events, err := skipping(ctx, s, s.Queries.EventDelivered, scan, idBatch(slices.Sorted(slices.Values(ids)))) // locking in one order avoids deadlock
	found := make(map[string]headers, len(events))
	for _, e := range events {
		found[e.id] = headers(e.h)
	}
	return found, err
}

// known returns which events are in the outbox. Only an erasure needs it, to
// report the waiting events that it leaves alone.
func (s *Session) known(ctx context.Context, action driver.AuditAction, ids []string) (map[string]bool, error) {
	if action != driver.AuditErase {
		return nil, nil
	}
	rows, err := s.Query(ctx, s.Queries.EventKnown, idBatch(ids))
	all, err := collect(rows, err, scanValue[string])
	known := make(map[string]bool, len(all))
	for _, id := range all {
		known[id] = true
	}
	return known, err
}
