package sqlstore

import (
	"context"
	"fmt"
	"time"
)

// Sweep implements [outbox.Store]. It also moves rows to the dead letters that
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
		n, err = session.Exec(ctx, s.queries.Sweep, nil, s.dialect.micros(max(age, 0)), int64(limit))
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
	if _, err := s.Exec(ctx, s.Queries.ForeignDead, nil, int64(limit)); err != nil {
		return err
	}
	_, err := s.ExecIfAny(ctx, s.Queries.ForeignDeadDrop, int64(limit))
	return err
}

// ExpireWritten implements [outbox.ExpiringStore].
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
		n, err = session.Exec(ctx, s.queries.Expire, nil, s.dialect.micros(max(age, 0)), int64(limit))
		return err
	})
	return n, err
}
