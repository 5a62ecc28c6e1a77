package sqlstore

import (
	"context"

	"github.com/sendoff-go/outbox"
)

// ReplayDead implements [outbox.DeadLetterStore].
func (s *Store) ReplayDead(ctx context.Context, ids []string) ([]outbox.DeadResult, error) {
	return s.eachDead(ctx, "replay dead letters", ids, s.dialect.Replay)
}

// ResolveDead implements [outbox.DeadLetterStore]. Resolving twice keeps the
// first moment.
func (s *Store) ResolveDead(ctx context.Context, ids []string) ([]outbox.DeadResult, error) {
	return s.eachDead(ctx, "resolve dead letters", ids, s.applied(s.queries.DeadResolve))
}

// DeleteDead implements [outbox.DeadLetterStore].
func (s *Store) DeleteDead(ctx context.Context, ids []string) ([]outbox.DeadResult, error) {
	return s.eachDead(ctx, "delete dead letters", ids, s.applied(s.queries.DeadDelete))
}

type bulk func(ctx context.Context, session *Session, ids []string) (map[string]outbox.DeadStatus, error)

// applied is a bulk call whose statement returns the ids that it changed.
func (s *Store) applied(q Query) bulk {
	return func(ctx context.Context, session *Session, ids []string) (map[string]outbox.DeadStatus, error) {
		changed, err := changing(ctx, session, q, scanID, idBatch(ids))
		status := make(map[string]outbox.DeadStatus, len(changed))
		for _, id := range changed {
			status[id] = outbox.DeadApplied
		}
		return status, err
	}
}

// eachDead answers for every id, in the caller's order.
func (s *Store) eachDead(ctx context.Context, what string, ids []string, do bulk) ([]outbox.DeadResult, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	var status map[string]outbox.DeadStatus
	err := s.run(ctx, what, s.config.SweepTimeout, func(ctx context.Context, session *Session) (err error) {
		status, err = do(ctx, session, ids)
		return err
	})
	if err != nil {
		return nil, err
	}
	results := make([]outbox.DeadResult, len(ids))
	for i, id := range ids {
		results[i] = outbox.DeadResult{ID: id, Status: outbox.DeadNotFound}
		if st, ok := status[id]; ok {
			results[i].Status = st
		}
	}
	return results, nil
}
