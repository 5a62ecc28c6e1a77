package pgxstore

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/sendoff-go/outbox"
)

// ReplayDead implements [outbox.DeadLetterStore].
func (s *Store) ReplayDead(ctx context.Context, ids []string) ([]outbox.DeadResult, error) {
	return s.eachDead(ctx, "replay dead letters", s.queries.DeadReplay.SQL, ids, func(r *row) outbox.DeadStatus {
		if r.boolean() {
			return outbox.DeadApplied
		}
		return outbox.DeadConflict
	})
}

// ResolveDead implements [outbox.DeadLetterStore]. Resolving twice keeps the
// first moment.
func (s *Store) ResolveDead(ctx context.Context, ids []string) ([]outbox.DeadResult, error) {
	return s.eachDead(ctx, "resolve dead letters", s.queries.DeadResolve.SQL, ids, applied)
}

// DeleteDead implements [outbox.DeadLetterStore].
func (s *Store) DeleteDead(ctx context.Context, ids []string) ([]outbox.DeadResult, error) {
	return s.eachDead(ctx, "delete dead letters", s.queries.DeadDelete.SQL, ids, applied)
}

func applied(*row) outbox.DeadStatus { return outbox.DeadApplied }

// eachDead sends a statement that returns the ids that it found, and answers
// for every id in the caller's order.
func (s *Store) eachDead(ctx context.Context, what, sql string, ids []string, status func(*row) outbox.DeadStatus) ([]outbox.DeadResult, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	found := make(map[string]outbox.DeadStatus, len(ids))
	err := s.run(ctx, s.personCall(what), func(b *pgx.Batch) {
		clear(found)
		b.Queue(sql, ids).Query(func(rows pgx.Rows) error {
			return eachRow(rows, func(r *row) {
				id := r.string()
				found[id] = status(r)
			})
		})
	})
	if err != nil {
		return nil, err
	}
	results := make([]outbox.DeadResult, len(ids))
	for i, id := range ids {
		results[i] = outbox.DeadResult{ID: id, Status: outbox.DeadNotFound}
		if st, ok := found[id]; ok {
			results[i].Status = st
		}
	}
	return results, nil
}
