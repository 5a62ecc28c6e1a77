package sqlstore

import (
	"context"
	"database/sql"
	"time"

	"github.com/sendoff-go/outbox"
)

// Lanes implements [outbox.Store].
func (s *Store) Lanes(ctx context.Context, after string, limit int) ([]outbox.WaitingLane, error) {
	if limit <= 0 {
		return nil, nil
	}
	var lanes []outbox.WaitingLane
	err := s.run(ctx, "lanes", s.config.StatementTimeout, func(ctx context.Context, session *Session) (err error) {
		lanes, err = session.lanes(ctx, after, limit)
		return err
	})
	if err != nil {
		return nil, err
	}
	return lanes, nil
}

func (s *Session) lanes(ctx context.Context, after string, limit int) ([]outbox.WaitingLane, error) {
	if !s.Dialect.LaneByLane {
		answer, err := s.Query(ctx, s.Queries.Lanes, nil, after, int64(limit))
		return collect(answer, err, scanLane)
	}
	next, done, err := s.prepare(ctx, s.Queries.Lanes, limit)
	if err != nil {
		return nil, err
	}
	defer done()
	var all []outbox.WaitingLane
	for len(all) < limit {
		answer, err := next(ctx, after, int64(1))
		one, err := collect(answer, err, scanLane)
		if err != nil || len(one) == 0 {
			return all, err
		}
		all = append(all, one...)
		after = one[0].Lane
	}
	return all, nil
}

func scanLane(rows *sql.Rows) (l outbox.WaitingLane, err error) {
	var age int64
	err = rows.Scan(&l.Lane, &age)
	l.Age = time.Duration(age) * time.Microsecond
	return l, err
}
