package sqlstore

import (
	"context"
	"fmt"
	"time"

	"github.com/sendoff-go/outbox/store/internal/stored"
)

// Sweep implements [driver.Store]. Once there are fewer rows than limit to delete, it
// also moves rows that another program marked as dead in place to the dead letters, and
// retries and resolves letters that SQL has marked. It counts neither.
func (s *Engine) Sweep(ctx context.Context, age time.Duration, limit int) (int, error) {
	if limit <= 0 {
		return 0, nil
	}
	var n int
	err := s.run(ctx, s.sweepCall("sweep", func(ctx context.Context, session *Session) (err error) {
		n, err = session.sweep(ctx, age, limit)
		return err
	}))
	switch {
	case err != nil:
		return 0, err
	case n >= limit: // the caller will go on
		return n, nil
	}
	return n, s.move(ctx, limit)
}

func (s *Session) sweep(ctx context.Context, age time.Duration, limit int) (int, error) {
	if free, err := s.free(ctx, s.Queries.SweepLock); err != nil || !free {
		return 0, err
	}
	if _, err := s.ExecIfAny(ctx, s.Queries.SweepBefore); err != nil {
		return 0, err
	}
	return s.removing(ctx, removal{s.Queries.Sweep, s.Queries.RowsFree, scanSeq}, age, limit)
}

// move moves what is marked. It has a transaction of its own, in which it may wait long
// for what is in the way.
func (s *Engine) move(ctx context.Context, limit int) error {
	moves := func(retry retrying) work {
		return func(ctx context.Context, session *Session) error {
			if free, err := session.free(ctx, session.Queries.SweepLock); err != nil || !free {
				return err
			}
			if err := moveForeignDead(ctx, session, limit); err != nil {
				return err
			}
			return session.moveMarked(ctx, limit, retry)
		}
	}
	c := s.sweepCall("move what is marked", moves(retryTogether))
	if !s.dialect.Embedded { // where a lock is one on everything
		nothing := func(context.Context, *Session) error { return nil }
		c.around = []work{moves(retryApart), nothing}
	}
	return s.run(ctx, c)
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
	keys, err := s.oldest(ctx, *move.which, s.Queries.RowsFree, scanSeq, limit)
	if err != nil || keys.Rows() == 0 {
		return err
	}
	if _, err := s.Exec(ctx, move, keys); err != nil {
		return err
	}
	_, err = s.Exec(ctx, drop, keys)
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
