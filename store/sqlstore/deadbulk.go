package sqlstore

import (
	"context"
	"slices"

	"github.com/sendoff-go/outbox/driver"
)

// ReplayDead implements [driver.DeadLetterStore].
func (s *Engine) ReplayDead(ctx context.Context, ids []string) ([]driver.DeadResult, error) {
	return s.eachDead(ctx, "replay dead letters", driver.AuditReplay, ids, s.dialect.Replay)
}

// ResolveDead implements [driver.DeadLetterStore]. Resolving twice keeps the
// first time.
func (s *Engine) ResolveDead(ctx context.Context, ids []string) ([]driver.DeadResult, error) {
	return s.eachDead(ctx, "resolve dead letters", driver.AuditResolve, ids, s.applied(s.queries.DeadResolve))
}

// DeleteDead implements [driver.DeadLetterStore].
func (s *Engine) DeleteDead(ctx context.Context, ids []string) ([]driver.DeadResult, error) {
	return s.eachDead(ctx, "delete dead letters", driver.AuditDelete, ids, s.applied(s.queries.DeadDelete))
}

type bulk func(ctx context.Context, session *Session, ids []string) (map[string]driver.DeadStatus, error)

// applied is a bulk call whose statement returns the ids it changed.
func (s *Engine) applied(q Query) bulk {
	return func(ctx context.Context, session *Session, ids []string) (map[string]driver.DeadStatus, error) {
		changed, err := changing(ctx, session, q, scanValue[string], idBatch(ids))
		status := make(map[string]driver.DeadStatus, len(changed))
		for _, id := range changed {
			status[id] = driver.DeadApplied
		}
		return status, err
	}
}

// eachDead answers for every id, in the caller's order.
func (s *Engine) eachDead(ctx context.Context, what string, action driver.AuditAction, ids []string, do bulk) ([]driver.DeadResult, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	act, audited := driver.ActOf(ctx)
	var status map[string]driver.DeadStatus
	c := s.personCall(what, func(ctx context.Context, session *Session) (err error) {
		if status, err = do(ctx, session, ids); err != nil || !audited {
			return err
		}
		if changed := changedOf(ids, status); len(changed) > 0 {
			return session.audit(ctx, act, action, changed)
		}
		return nil
	})
	if !audited {
		c = c.single()
	}
	if err := s.run(ctx, c); err != nil {
		return nil, err
	}
	results := make([]driver.DeadResult, len(ids))
	for i, id := range ids {
		results[i] = driver.DeadResult{ID: id, Status: driver.DeadNotFound}
		if st, ok := status[id]; ok {
			results[i].Status = st
		}
	}
	return results, nil
}

// changedOf returns the ids that a call was applied to, each once.
func changedOf(ids []string, status map[string]driver.DeadStatus) (changed []string) {
	for _, id := range ids {
		if status[id] == driver.DeadApplied && !slices.Contains(changed, id) {
			changed = append(changed, id)
		}
	}
	return changed
}
