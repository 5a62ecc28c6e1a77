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
	err := s.run(ctx, "lanes", s.config.StatementTimeout, func(ctx context.Context, session *Session) error {
		answer, err := session.Query(ctx, s.queries.Lanes, nil, after, int64(limit))
		lanes, err = collect(answer, err, func(rows *sql.Rows) (l outbox.WaitingLane, err error) {
			var age int64
			err = rows.Scan(&l.Lane, &age)
			l.Age = time.Duration(age) * time.Microsecond
			return l, err
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	return lanes, nil
}
