package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/sendoff-go/outbox/store/internal/transport"
)

// Rows is an answer, which the caller closes.
type Rows interface {
	Next() bool
	Scan(to ...any) error
	Err() error
	Close() error
}

// Session runs a dialect's statements inside one transaction.
type Session struct {
	Dialect *Dialect
	Queries *Queries
	tx      transport.Querier
	// careful: an assumption of an earlier attempt was wrong.
	careful bool
	// attempt is how often the transaction was tried before.
	attempt int
	// migrates: it may hold the migration lock.
	migrates bool
}

// Query sends a statement with a batch (nil for none) and further arguments.
func (s *Session) Query(ctx context.Context, q Query, b Batch, args ...any) (Rows, error) {
	text, args, err := s.text(q, b, args)
	if err != nil {
		return nil, err
	}
	return s.tx.Query(ctx, text, args...)
}

// Exec sends a statement and returns how many rows it changed.
func (s *Session) Exec(ctx context.Context, q Query, b Batch, args ...any) (int, error) {
	result, err := s.exec(ctx, q, b, args...)
	if err != nil {
		return 0, err
	}
	n, err := result.RowsAffected()
	return int(n), err
}

func (s *Session) exec(ctx context.Context, q Query, b Batch, args ...any) (sql.Result, error) {
	text, args, err := s.text(q, b, args)
	if err != nil {
		return nil, err
	}
	return s.tx.Exec(ctx, text, args...)
}

// ExecIfAny sends a statement that the dialect may not have.
func (s *Session) ExecIfAny(ctx context.Context, q Query, args ...any) (int, error) {
	if !q.exists() {
		return 0, nil
	}
	return s.Exec(ctx, q, nil, args...)
}

// sender sends a prepared statement.
type sender func(ctx context.Context, args ...any) (Rows, error)

// prepare prepares a statement for that many uses, if the transport can.
func (s *Session) prepare(ctx context.Context, q Query, uses int) (send sender, done func(), err error) {
	p, ok := s.tx.(transport.Preparer)
	if !ok || uses < 2 {
		return func(ctx context.Context, args ...any) (Rows, error) { return s.Query(ctx, q, nil, args...) }, func() {}, nil
	}
	prepared, done, err := p.Prepare(ctx, q.SQL)
	if err != nil {
		return nil, nil, err
	}
	return func(ctx context.Context, args ...any) (Rows, error) {
		args, err := s.bind(q, nil, args)
		if err != nil {
			return nil, err
		}
		return prepared(ctx, args...)
	}, done, nil
}

// text is what to send.
func (s *Session) text(q Query, b Batch, args []any) (string, []any, error) {
	if q.pieces == nil {
		args, err := s.bind(q, b, args)
		return q.SQL, args, err
	}
	text, args := q.spell(b, args)
	for i, a := range args {
		if t, ok := a.(time.Time); ok {
			args[i] = s.Dialect.Time(t)
		}
	}
	return text, args, nil
}

func (s *Session) bind(q Query, b Batch, args []any) ([]any, error) {
	var all []any
	if b != nil {
		bound, err := s.Dialect.Bind(b)
		if err != nil {
			return nil, ours(err)
		}
		all = bound
	}
	for _, a := range args {
		if t, ok := a.(time.Time); ok {
			a = s.Dialect.Time(t)
		}
		all = append(all, a)
	}
	return q.arguments(all), nil
}

// collect reads all rows of an answer.
func collect[T any](rows Rows, err error, scan func(Rows) (T, error)) ([]T, error) {
	all, _, err := collectUntil(rows, err, scan, func(T) bool { return false })
	return all, err
}

// collectUntil collects rows until one is enough; cut reports whether one was.
func collectUntil[T any](rows Rows, err error, scan func(Rows) (T, error), enough func(T) bool) (all []T, cut bool, _ error) {
	if err != nil {
		return nil, false, err
	}
	defer func() { _ = rows.Close() }() // Err reports the same error
	for rows.Next() {
		v, err := scan(rows)
		switch {
		case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
			return nil, false, err // database/sql has closed the rows since Next
		case err != nil:
			return nil, false, ours(err)
		}
		if all = append(all, v); enough(v) {
			return all, true, nil
		}
	}
	return all, false, rows.Err()
}

// pageBytes is how many bytes of payloads a page of rows may have in memory.
const pageBytes = 32 << 20

// full reports whether a page has enough bytes, whatever its limit is.
func full[T any](payload func(T) int) func(T) bool {
	size := 0
	return func(v T) bool {
		size += payload(v)
		return size >= pageBytes
	}
}

// scanValue reads a row of one column.
func scanValue[T any](rows Rows) (v T, err error) { return v, rows.Scan(&v) }
