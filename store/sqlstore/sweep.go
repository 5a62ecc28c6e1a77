package sqlstore

import (
	"context"
	"fmt"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/internal/stored"
)

// Sweep implements [driver.Store]. It also moves rows that another program marked
// as dead in place to the dead letters, and retries and resolves letters that SQL
// has marked. It counts neither.
func (s *Engine) Sweep(ctx context.Context, age time.Duration, limit int) (int, error) {
	if limit <= 0 {
		return 0, nil
	}
	var n int
	sweep := func(moves bool) work {
		return func(ctx context.Context, session *Session) (err error) {
			n, err = session.sweep(ctx, age, limit, moves)
			return err
		}
	}
	c := s.sweepCall("sweep", sweep(true))
	if !s.dialect.Embedded { // where a lock is one on everything
		c.around = sweep(false) // somebody has locked a row to move, or writes an event with the id of a letter
	}
	err := s.run(ctx, c)
	return n, err
}

func (s *Session) sweep(ctx context.Context, age time.Duration, limit int, moves bool) (int, error) {
	if free, err := s.free(ctx, s.Queries.SweepLock); err != nil || !free {
		return 0, err
	}
	if moves {
		if err := moveForeignDead(ctx, s, limit); err != nil {
			return 0, err
		}
		if err := s.moveMarked(ctx, limit); err != nil {
			return 0, err
		}
	}
	if _, err := s.ExecIfAny(ctx, s.Queries.SweepBefore); err != nil {
		return 0, err
	}
	return s.removing(ctx, removal{s.Queries.Sweep, s.Queries.RowsFree, scanSeq}, age, limit)
}

func moveForeignDead(ctx context.Context, s *Session, limit int) error {
	move, drop := s.Queries.ForeignDead, s.Queries.ForeignDeadDrop
	if move.which == nil {
		if _, err := s.Exec(ctx, move, nil, stored.AtMost(limit)); err != nil {
			return err
		}
		_, err := s.ExecIfAny(ctx, drop, stored.AtMost(limit))
		return err
	}
	keys, err := s.keys(ctx, *move.which, scanSeq, stored.AtMost(limit))
	if err != nil || keys.Rows() == 0 {
		return err
	}
	if _, err := s.Exec(ctx, move, keys); err != nil {
		return err
	}
	_, err = s.Exec(ctx, drop, keys)
	return err
}

// toRetry is the mark with which SQL asks for a retry of a letter.
const toRetry = "TO_RETRY"

// moveMarked retries and resolves letters as SQL has marked them.
func (s *Session) moveMarked(ctx context.Context, limit int) error {
	type marked struct {
		key    driver.DeadKey
		status text
	}
	all, err := skipping(ctx, s, s.Queries.Marked, func(rows Rows) (m marked, err error) {
		return m, rows.Scan(&m.key.EventID, &m.key.Seq, &m.status)
	}, nil, stored.AtMost(limit))
	if err != nil {
		return err
	}
	var retry, resolve []driver.DeadKey
	for _, m := range all {
		if m.status == toRetry {
			retry = append(retry, m.key)
		} else {
			resolve = append(resolve, m.key)
		}
	}
	if len(resolve) > 0 {
		if _, err := changing(ctx, s, s.Queries.DeadResolve, scanGrave, keyBatch(resolve)); err != nil {
			return err
		}
	}
	if len(retry) == 0 {
		return nil
	}
	if _, err := s.Dialect.Replay(ctx, s, retry); err != nil {
		return err
	}
	_, err = s.Exec(ctx, s.Queries.MarkedConflict, keyBatch(retry)) // those that are still there
	return err
}

// ExpireWritten implements [driver.ExpiringStore].
func (s *Engine) ExpireWritten(ctx context.Context, age time.Duration, limit int) (int, error) {
	if limit <= 0 {
		return 0, nil
	}
	var n int
	err := s.run(ctx, s.personCall("expire", func(ctx context.Context, session *Session) error {
		n = 0
		alive, err := instances(ctx, session)
		if err != nil {
			return err
		}
		if len(alive) > 0 {
			return ours(fmt.Errorf("relay %s is alive on this table: stop it first, or use Sweep, which deletes only what was delivered", alive[0].Owner))
		}
		n, err = session.removing(ctx, removal{s.queries.Expire, s.queries.RowsFree, scanSeq}, age, limit)
		return err
	}))
	return n, err
}
