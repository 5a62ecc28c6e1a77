package sqlstore

import (
	"context"
	"errors"

	"github.com/sendoff-go/outbox/driver"
)

// errAgain ends a transaction whose assumption was wrong. It is retried at
// once, without that assumption.
var errAgain = errors.New("some rows are no longer held as they were")

// changing sends a statement that changes rows, and returns its result for
// each. If the statement returns none, its companion is asked first.
func changing[T any](ctx context.Context, s *Session, q Query, scan func(Rows) (T, error), b Batch, args ...any) ([]T, error) {
	if q.which == nil {
		rows, err := s.Query(ctx, q, b, args...)
		return collect(rows, err, scan)
	}
	rows, err := s.Query(ctx, *q.which, b, args...)
	all, err := collect(rows, err, scan)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	_, err = s.Exec(ctx, q, b, args...)
	return all, err
}

// change sends a statement that changes rows of a batch under their fence, and
// adds the names of the changed ones.
//
// A statement that does not say which rows it changed, but changed as many as
// were sent, changed all of them. That is nearly always so, and saves a
// statement. Otherwise the transaction is retried and asks first. Equal numbers
// prove it whatever the driver counts as changed, since no driver counts more
// rows than there are. A letter that exists already is being written by a retry
// of the same call, which read the row without a lock.
func (s heldSet) change(ctx context.Context, session *Session, q Query, b Batch, args ...any) error {
	if q.which == nil || session.careful || b == nil {
		held, err := changing(ctx, session, q, scanHeld, b, args...)
		for _, h := range held {
			s[h] = true
		}
		return err
	}
	n, err := session.Exec(ctx, q, b, args...)
	switch {
	case err != nil && session.Dialect.Fault(err) == FaultDuplicate:
		return errAgain
	case err != nil:
		return err
	case n != b.Rows():
		return errAgain
	}
	for i := range n {
		s[driver.Held{EventID: b[0][i].(string), Seq: b[1][i].(int64), ClaimNo: b[2][i].(int64)}] = true
	}
	return nil
}
