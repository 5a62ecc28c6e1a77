package pgxstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sendoff-go/outbox/store/internal/transport"
)

// conns is a pool as the engine knows them.
type conns func() (*pgxpool.Pool, error)

// Acquire implements [transport.Pool].
func (from conns) Acquire(ctx context.Context) (transport.Conn, error) {
	pool, err := from()
	if err != nil {
		return nil, err
	}
	c, err := pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	return &conn{Conn: c}, nil
}

const (
	begin  = "BEGIN ISOLATION LEVEL READ COMMITTED"
	commit = "COMMIT"
)

// conn is a connection for one transaction. BEGIN and the opening statements
// are sent with the first statement, and COMMIT with the last one if it is
// known to be the last, so a single statement costs one round trip.
type conn struct {
	*pgxpool.Conn
	opening   transport.Opening
	opened    bool  // BEGIN was sent
	begun     bool  // the server has said so
	closed    bool  // COMMIT was sent
	committed bool  // the server has said so
	failed    error // why not, if it has not
}

// Begin implements [transport.Conn].
func (c *conn) Begin(_ context.Context, o transport.Opening) error {
	c.opening = o
	return nil
}

// step queues the statements of one round trip.
type step func(b *pgx.Batch)

// exchange runs the steps of a whole transaction.
func exchange(ctx context.Context, tx transport.Querier, steps ...step) error {
	c := tx.(*conn) // an engine on conns has no others
	for i, queue := range steps {
		b := &pgx.Batch{}
		c.open(b)
		queue(b)
		if i == len(steps)-1 {
			c.close(b)
		}
		if err := c.SendBatch(ctx, b).Close(); err != nil {
			return c.mark(err)
		}
	}
	return nil
}

func (c *conn) open(b *pgx.Batch) {
	if c.opened {
		return
	}
	c.opened = true
	b.Queue(begin).Exec(func(pgconn.CommandTag) error { c.begun = true; return nil })
	if o := c.opening; o.First != "" {
		b.Queue(o.First, o.Args...).Exec(func(pgconn.CommandTag) error { return nil })
	}
}

func (c *conn) close(b *pgx.Batch) {
	c.closed = true
	b.Queue(commit).Exec(c.ended)
}

// ended checks what COMMIT did: in a failed transaction it rolls back, and
// reports that without an error.
func (c *conn) ended(tag pgconn.CommandTag) error {
	if c.committed = tag.String() == commit; !c.committed {
		return pgx.ErrTxCommitRollback
	}
	return nil
}

// mark marks an error of a transaction that cannot have done anything.
func (c *conn) mark(err error) error {
	if err != nil && !c.begun && neverBegan(err) {
		return transport.NotBegun{Err: err}
	}
	return err
}

var errAlone = transport.Ours{Err: errors.New("a second statement was sent in a transaction that may have only one")}

// first sends the first statement, and leaves the answers from its own on.
func (c *conn) first(ctx context.Context, query string, args []any) (pgx.BatchResults, error) {
	b := &pgx.Batch{}
	c.open(b)
	before := b.Len()
	b.Queue(query, args...)
	if c.opening.Alone {
		c.close(b)
	}
	results := c.SendBatch(ctx, b)
	for range before {
		if _, err := results.Exec(); err != nil {
			_ = results.Close() // err says why
			return nil, c.mark(err)
		}
		c.begun = true
	}
	return results, nil
}

// Exec implements [transport.Querier].
func (c *conn) Exec(ctx context.Context, query string, args ...any) (sql.Result, error) {
	switch {
	case c.closed:
		return nil, errAlone
	case c.opened:
		return inTx{c.Conn}.Exec(ctx, query, args...)
	}
	results, err := c.first(ctx, query, args)
	if err != nil {
		return nil, err
	}
	tag, err := results.Exec()
	if ended := results.Close(); err == nil {
		err = ended
	}
	return driver.RowsAffected(tag.RowsAffected()), err
}

// Query implements [transport.Querier].
func (c *conn) Query(ctx context.Context, query string, args ...any) (transport.Rows, error) {
	switch {
	case c.closed:
		return nil, errAlone
	case c.opened:
		return inTx{c.Conn}.Query(ctx, query, args...)
	}
	results, err := c.first(ctx, query, args)
	if err != nil {
		return nil, err
	}
	rows, err := results.Query()
	if err != nil {
		_ = results.Close() // err says why
		return nil, err
	}
	return &firstRows{rows, results, c}, nil
}

// firstRows is the answer to a statement that was sent with others. What
// follows it says whether the transaction was committed.
type firstRows struct {
	pgx.Rows
	results pgx.BatchResults
	conn    *conn
}

func (r *firstRows) Close() error {
	r.Rows.Close()
	r.conn.failed = r.results.Close()
	return r.conn.failed
}

// Commit implements [transport.Conn].
func (c *conn) Commit(ctx context.Context) error {
	switch {
	case c.failed != nil || !c.opened || c.committed:
		return c.failed
	case c.closed:
		return pgx.ErrTxCommitRollback
	}
	c.closed = true
	tag, err := c.Conn.Exec(ctx, commit)
	if err != nil {
		return err
	}
	return c.ended(tag)
}

// endTimeout bounds the attempt to keep or close a connection.
const endTimeout = time.Second

// Rollback implements [transport.Conn].
func (c *conn) Rollback(ctx context.Context) {
	if pg := c.Conn.Conn().PgConn(); pg.IsClosed() || pg.TxStatus() == 'I' {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	_, _ = c.Conn.Exec(ctx, "ROLLBACK") // if it fails, the pool closes the connection
}

// Send implements [transport.Conn].
func (c *conn) Send(ctx context.Context, query string) error {
	if !c.opened {
		_, err := c.Exec(ctx, query)
		return err
	}
	_, err := c.Conn.Exec(ctx, query)
	return err
}

// Release implements [transport.Conn]. The pool itself closes what is inside of a
// transaction.
func (c *conn) Release(bad bool) {
	if bad && !c.Conn.Conn().IsClosed() {
		ctx, cancel := context.WithTimeout(context.Background(), endTimeout)
		defer cancel()
		_ = c.Conn.Conn().Close(ctx) // its error does not matter
	}
	c.Conn.Release()
}
