package sqlstore

import (
	"context"
	"database/sql"
	"time"
)

// querier is what a transaction of any kind can do.
type querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Session runs a dialect's statements inside one transaction.
type Session struct {
	Dialect *Dialect
	Queries *Queries
	tx      querier
	ready   *prepared
	// careful: an earlier attempt took for granted what was not so.
	careful bool
	// limited: the connection's limits are those of the call.
	limited bool
	// migrates: it may hold the lock of migrations.
	migrates bool
}

// Query sends a statement with a batch (nil for none) and further arguments.
func (s *Session) Query(ctx context.Context, q Query, b Batch, args ...any) (*sql.Rows, error) {
	args, err := s.bind(q, b, args)
	if err != nil {
		return nil, err
	}
	if stmt := s.ready.in(ctx, s.tx, q.SQL); stmt != nil { //nolint:sqlclosecheck // the transaction's end closes it
		if rows, err := stmt.QueryContext(ctx, args...); !elsewhere(err) {
			return rows, err
		}
	}
	return s.tx.QueryContext(ctx, q.SQL, args...)
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
	args, err := s.bind(q, b, args)
	if err != nil {
		return nil, err
	}
	if stmt := s.ready.in(ctx, s.tx, q.SQL); stmt != nil { //nolint:sqlclosecheck // the transaction's end closes it
		if result, err := stmt.ExecContext(ctx, args...); !elsewhere(err) {
			return result, err
		}
	}
	return s.tx.ExecContext(ctx, q.SQL, args...)
}

// ExecIfAny sends a statement that the dialect may not have.
func (s *Session) ExecIfAny(ctx context.Context, q Query, args ...any) (int, error) {
	if !q.exists() {
		return 0, nil
	}
	return s.Exec(ctx, q, nil, args...)
}

// prepare makes a statement ready for so many uses. Not every transaction of
// an ORM can; then it is read anew each time.
func (s *Session) prepare(ctx context.Context, q Query, uses int) (send sender, done func(), err error) {
	tx, ok := s.tx.(interface {
		PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
	})
	if !ok || uses < 2 {
		return func(ctx context.Context, args ...any) (*sql.Rows, error) {
			return s.Query(ctx, q, nil, args...)
		}, func() {}, nil
	}
	stmt, err := tx.PrepareContext(ctx, q.SQL)
	if err != nil {
		return nil, nil, err
	}
	return func(ctx context.Context, args ...any) (*sql.Rows, error) {
		args, err := s.bind(q, nil, args)
		if err != nil {
			return nil, err
		}
		return stmt.QueryContext(ctx, args...)
	}, func() { _ = stmt.Close() }, nil // the transaction's end closes it, too
}

// sender sends a prepared statement.
type sender func(ctx context.Context, args ...any) (*sql.Rows, error)

func (s *Session) bind(q Query, b Batch, args []any) ([]any, error) {
	var all []any
	if b != nil {
		bound, err := s.Dialect.Bind(b)
		if err != nil {
			return nil, errOurs{err}
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
func collect[T any](rows *sql.Rows, err error, scan func(*sql.Rows) (T, error)) ([]T, error) {
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // Err has what Close would say
	var all []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, errOurs{err}
		}
		all = append(all, v)
	}
	return all, rows.Err()
}
