package sqlstore

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

// errBusy ends a transaction that others are in the way of. It is retried after a
// pause.
var errBusy = errors.New("other sessions have locked too many of the rows")

// skipping sends a statement that locks rows, skips those that another session
// has locked, and returns the others. Where the database cannot skip,
// [Dialect.NoSkip], the statement fails if it would have to wait, and is sent
// again for halves of the batch until what fails is a single row. Without a
// batch it then returns nothing: another session is at it.
func skipping[T any](ctx context.Context, s *Session, q Query, scan func(Rows) (T, error), b Batch, args ...any) ([]T, error) {
	return skippingWithin(ctx, s, &halving{}, q, scan, b, args...)
}

// halving counts the statements that have failed, and ends the search after most
// of them, unless that is 0, and at a time, unless that is zero.
type halving struct {
	failed, most int
	until        time.Time
}

func (h *halving) over() bool {
	return h.most > 0 && h.failed >= h.most || !h.until.IsZero() && time.Now().After(h.until)
}

// skippingWithin is skipping with a limit. Chance decides which half comes first,
// so that repeated calls find all rows there are.
func skippingWithin[T any](ctx context.Context, s *Session, h *halving, q Query, scan func(Rows) (T, error), b Batch, args ...any) ([]T, error) {
	rows, err := s.Query(ctx, q, b, args...)
	all, err := collect(rows, err, scan)
	if err == nil || !s.Dialect.NoSkip || s.Dialect.Fault(err) != FaultLocked {
		return all, err
	}
	h.failed++
	n := b.Rows()
	if n < 2 {
		return nil, nil
	}
	for _, half := range shuffled(b.slice(0, n/2), b.slice(n/2, n)) {
		if h.over() {
			break
		}
		some, err := skippingWithin(ctx, s, h, q, scan, half, args...)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// shuffled are both, by chance in that order or the other one.
func shuffled[T any](a, b T) [2]T {
	if rand.IntN(2) == 0 {
		return [2]T{b, a}
	}
	return [2]T{a, b}
}
