package sqlstore

import (
	"context"
	"errors"
	"time"
)

// apart does f for n rows, and leaves out those for which it would have to wait. Where
// no query tells which these are, such as ids that others have written and not
// committed, it finds out by trial: what fails is undone and done for halves, until it
// is for a single row. f may wait for a moment each time, and the search ends while
// there is time for the rest of the call. Chance decides which half comes first, so that
// repeated calls reach all rows.
func (s *Session) apart(ctx context.Context, n int, f func(from, to int) error) error {
	if _, err := s.ExecIfAny(ctx, s.Queries.TrialLimit); err != nil {
		return err
	}
	h := &halving{most: lockedTries}
	if deadline, ok := ctx.Deadline(); ok {
		left := time.Until(deadline)
		if left < leastTime {
			return nil
		}
		h.until = time.Now().Add(min(left/3, trialTime))
	}
	return s.parts(ctx, h, 0, n, f)
}

// trialTime is for how long trials that fail go on, each of which may take a [LockWait].
const trialTime = 5 * LockWait

// leastTime is how much time has to be left for trials. Some servers count seconds, and
// wait for two where they should for one.
const leastTime = 4 * LockWait

func (s *Session) parts(ctx context.Context, h *halving, from, to int, f func(from, to int) error) error {
	err := s.try(ctx, func() error { return f(from, to) })
	if err == nil || s.Dialect.Fault(err) != FaultLocked || errors.As(err, new(spoilt)) {
		return err
	}
	h.failed++
	if to-from < 2 {
		return nil
	}
	middle := (from + to) / 2
	for _, half := range shuffled([2]int{from, middle}, [2]int{middle, to}) {
		if h.over() {
			break
		}
		if err := s.parts(ctx, h, half[0], half[1], f); err != nil {
			return err
		}
	}
	return nil
}

// spoilt is an error after which a transaction cannot go on: nothing could be undone.
type spoilt struct{ error }

func (e spoilt) Unwrap() error { return e.error }

// try undoes what f did if it fails.
func (s *Session) try(ctx context.Context, f func() error) error {
	if _, err := s.Exec(ctx, Query{SQL: "SAVEPOINT outbox_try"}, nil); err != nil {
		return err
	}
	if err := f(); err != nil {
		if _, undo := s.Exec(ctx, Query{SQL: "ROLLBACK TO SAVEPOINT outbox_try"}, nil); undo != nil {
			return spoilt{err} // a deadlock, for one, ends the transaction
		}
		return err
	}
	_, err := s.Exec(ctx, Query{SQL: "RELEASE SAVEPOINT outbox_try"}, nil)
	return err
}
