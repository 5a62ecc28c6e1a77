package transport

import (
	"context"
	"database/sql"
)

// Rows is an answer. Close may be called more than once, and Err reports the
// same error.
type Rows interface {
	Next() bool
	Scan(to ...any) error
	Err() error
	Close() error
}

// Querier sends statements inside a transaction, whoever began it.
type Querier interface {
	Exec(ctx context.Context, query string, args ...any) (sql.Result, error)
	Query(ctx context.Context, query string, args ...any) (Rows, error)
}

// Preparer is a [Querier] that can have the database parse a statement once for
// many uses.
type Preparer interface {
	Prepare(ctx context.Context, query string) (send func(ctx context.Context, args ...any) (Rows, error), done func(), err error)
}

// Opening says how a transaction begins.
type Opening struct {
	// First is a statement that is sent before all others; "" for none.
	First string
	Args  []any
	// Alone says that only one more statement follows. Then COMMIT may be sent
	// with it.
	Alone bool
}

// Pool is where connections come from. It is safe for concurrent use.
type Pool interface {
	// Acquire takes a connection, to be given back with Release.
	Acquire(ctx context.Context) (Conn, error)
}

// Conn is a connection for one transaction. It is for one goroutine.
type Conn interface {
	// Querier is for the time between Begin and Commit or Rollback.
	Querier
	// Begin may be sent later, with the first statement; then that one fails
	// in its place.
	Begin(ctx context.Context, o Opening) error
	Commit(ctx context.Context) error
	// Rollback ends an open transaction, even if ctx has ended. If it fails,
	// the connection is unusable, and its next use reports that.
	Rollback(ctx context.Context)
	// Send sends a text without arguments as it is: in the transaction, or
	// outside of any after its end.
	Send(ctx context.Context, query string) error
	// Release gives the connection back, or closes it if it is bad.
	Release(bad bool)
}

// NotBegun marks an error that came before any statement that changes a row.
type NotBegun struct{ Err error }

func (e NotBegun) Error() string { return e.Err.Error() }
func (e NotBegun) Unwrap() error { return e.Err }

// Ours marks an error of the store itself, such as an answer that it cannot
// read. It says nothing about the connection.
type Ours struct{ Err error }

func (e Ours) Error() string { return e.Err.Error() }
func (e Ours) Unwrap() error { return e.Err }
