package pgxstore

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/sendoff-go/outbox/driver"
)

// ReplayDead implements [driver.DeadLetterStore].
func (s *Store) ReplayDead(ctx context.Context, ids []string) ([]driver.DeadResult, error) {
	return s.eachDead(ctx, "replay dead letters", s.queries.DeadReplay.SQL, ids, func(r *row) driver.DeadStatus {
		if r.boolean() {
			return driver.DeadApplied
		}
		return driver.DeadConflict
	})
}

// ResolveDead implements [driver.DeadLetterStore]. Resolving twice keeps the
// first moment.
func (s *Store) ResolveDead(ctx context.Context, ids []string) ([]driver.DeadResult, error) {
	return s.eachDead(ctx, "resolve dead letters", s.queries.DeadResolve.SQL, ids, applied)
}

// DeleteDead implements [driver.DeadLetterStore].
func (s *Store) DeleteDead(ctx context.Context, ids []string) ([]driver.DeadResult, error) {
	return s.eachDead(ctx, "delete dead letters", s.queries.DeadDelete.SQL, ids, applied)
}

func applied(*row) driver.DeadStatus { return driver.DeadApplied }

// eachDead sends a statement that returns the ids that it found, and answers
// for every id in the caller's order.
func (s *Store) eachDead(ctx context.Context, what, sql string, ids []string, status func(*row) driver.DeadStatus) ([]driver.DeadResult, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	found := make(map[string]driver.DeadStatus, len(ids))
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
	results := make([]driver.DeadResult, len(ids))
	for i, id := range ids {
		results[i] = driver.DeadResult{ID: id, Status: driver.DeadNotFound}
		if st, ok := found[id]; ok {
			results[i].Status = st
		}
	}
	return results, nil
}
