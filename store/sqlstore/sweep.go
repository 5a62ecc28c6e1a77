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
	err := s.run(ctx, s.sweepCall("sweep", func(ctx context.Context, session *Session) error {
		n = 0
		if free, err := session.free(ctx, s.queries.SweepLock); err != nil || !free {
			return err
		}
		if err := moveForeignDead(ctx, session, limit); err != nil {
			return err
		}
		if err := session.moveMarked(ctx, limit); err != nil {
			return err
		}
		if _, err := session.ExecIfAny(ctx, s.queries.SweepBefore); err != nil {
			return err
		}
		var err error
		n, err = session.removing(ctx, s.queries.Sweep, s.dialect.micros(max(age, 0)), stored.AtMost(limit))
		return err
	}))
	return n, err
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
	keys, err := s.keys(ctx, *move.which, nil, stored.AtMost(limit))
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

// removing sends a statement that removes rows, and returns how many. If the
// statement has a companion, it takes the seqs that the companion finds, of the
// rows that no other session has locked.
func (s *Session) removing(ctx context.Context, q Query, args ...any) (int, error) {
	if q.which == nil {
		return s.Exec(ctx, q, nil, args...)
	}
	keys, err := s.keys(ctx, *q.which, nil, args...)
	if err == nil && keys.Rows() > 0 && s.Queries.RowsFree.exists() {
		keys, err = s.keys(ctx, s.Queries.RowsFree, keys)
	}
	if err != nil || keys.Rows() == 0 {
		return 0, err
	}
	return s.Exec(ctx, q, keys)
}

// keys returns the seqs that a query finds.
func (s *Session) keys(ctx context.Context, q Query, b Batch, args ...any) (Batch, error) {
	seqs, err := skipping(ctx, s, q, scanValue[int64], b, args...)
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
		n, err = session.removing(ctx, s.queries.Expire, s.dialect.micros(max(age, 0)), stored.AtMost(limit))
		return err
	}))
	return n, err
}
