package sqlstore

import "context"

// skipping sends a statement that locks rows, skips those that another session
// has locked, and returns the others. Where the database cannot skip,
// [Dialect.NoSkip], the statement fails if it would have to wait, and is sent
// again for halves of the batch until what fails is a single row. Without a
// batch it then returns nothing: another session is at it.
func skipping[T any](ctx context.Context, s *Session, q Query, scan func(Rows) (T, error), b Batch, args ...any) ([]T, error) {
	rows, err := s.Query(ctx, q, b, args...)
	all, err := collect(rows, err, scan)
	if err == nil || !s.Dialect.NoSkip || s.Dialect.Fault(err) != FaultLocked {
		return all, err
	}
	n := b.Rows()
	if n < 2 {
		return nil, nil
	}
	all, err = skipping(ctx, s, q, scan, b.slice(0, n/2), args...)
	if err != nil {
		return nil, err
	}
	rest, err := skipping(ctx, s, q, scan, b.slice(n/2, n), args...)
	return append(all, rest...), err
}
