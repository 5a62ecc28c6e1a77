package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Sweep implements [driver.Store]. It also moves rows to the dead letters that
// another program marked as dead in place; those are not counted.
func (s *Store) Sweep(ctx context.Context, age time.Duration, limit int) (int, error) {
	if limit <= 0 {
		return 0, nil
	}
	var n int
	err := s.run(ctx, "sweep", s.config.SweepTimeout, func(ctx context.Context, session *Session) error {
		n = 0
		if free, err := sweepLock(ctx, session); err != nil || !free {
			return err
		}
		if err := moveForeignDead(ctx, session, limit); err != nil {
			return err
		}
		if _, err := session.ExecIfAny(ctx, s.queries.SweepBefore); err != nil {
			return err
		}
		var err error
		n, err = session.removing(ctx, s.queries.Sweep, s.dialect.micros(max(age, 0)), int64(limit))
		return err
	})
	return n, err
}

// sweepLock is false while another instance sweeps. It is held until the end
// of the transaction.
func sweepLock(ctx context.Context, s *Session) (bool, error) {
	if !s.Queries.SweepLock.exists() {
		return true, nil
	}
	rows, err := s.Query(ctx, s.Queries.SweepLock, nil)
	if err != nil {
		return false, err
	}
	defer func() { _ = rows.Close() }() // Err has what Close would say
	return rows.Next(), rows.Err()
}

func moveForeignDead(ctx context.Context, s *Session, limit int) error {
	move, drop := s.Queries.ForeignDead, s.Queries.ForeignDeadDrop
	if move.which == nil {
		if _, err := s.Exec(ctx, move, nil, int64(limit)); err != nil {
			return err
		}
		_, err := s.ExecIfAny(ctx, drop, int64(limit))
		return err
	}
	keys, err := s.keys(ctx, *move.which, int64(limit))
	if err != nil || keys.Rows() == 0 {
		return err
	}
	if _, err := s.Exec(ctx, move, keys); err != nil {
		return err
	}
	_, err = s.Exec(ctx, drop, keys)
	return err
}

// removing sends a statement that removes rows, and returns how many. One that
// has a companion takes the seqs that this one finds.
func (s *Session) removing(ctx context.Context, q Query, args ...any) (int, error) {
	if q.which == nil {
		return s.Exec(ctx, q, nil, args...)
	}
	keys, err := s.keys(ctx, *q.which, args...)
	if err != nil || keys.Rows() == 0 {
		return 0, err
	}
	return s.Exec(ctx, q, keys)
}

// keys has the seqs that a query finds.
func (s *Session) keys(ctx context.Context, q Query, args ...any) (Batch, error) {
	rows, err := s.Query(ctx, q, nil, args...)
	seqs, err := collect(rows, err, func(rows *sql.Rows) (seq int64, err error) { return seq, rows.Scan(&seq) })
	if err != nil {
		return nil, err
	}
	keys := newBatch(1, len(seqs))
	for _, seq := range seqs {
		keys.add(seq)
	}
	return keys, nil
}

// ExpireWritten implements [driver.ExpiringStore].
func (s *Store) ExpireWritten(ctx context.Context, age time.Duration, limit int) (int, error) {
	if limit <= 0 {
		return 0, nil
	}
	var n int
	err := s.run(ctx, "expire", s.config.SweepTimeout, func(ctx context.Context, session *Session) error {
		n = 0
		alive, err := instances(ctx, session)
		if err != nil {
			return err
		}
		if len(alive) > 0 {
			return errOurs{fmt.Errorf("relay %s is alive on this table: stop it first, or use Sweep, which deletes only what was delivered", alive[0].Owner)}
		}
		n, err = session.removing(ctx, s.queries.Expire, s.dialect.micros(max(age, 0)), int64(limit))
		return err
	})
	return n, err
}
