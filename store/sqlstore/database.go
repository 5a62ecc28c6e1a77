package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"sync/atomic"

	"github.com/sendoff-go/outbox/store/internal/transport"
)

// contextQuerier is what a transaction of database/sql can do, even if an ORM
// has wrapped it.
type contextQuerier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// inTx sends statements in a transaction of database/sql.
type inTx struct {
	tx    contextQuerier
	ready *prepared
}

func (t inTx) Exec(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if stmt := t.ready.in(ctx, t.tx, query); stmt != nil { //nolint:sqlclosecheck // the transaction's end closes it
		if result, err := stmt.ExecContext(ctx, args...); !elsewhere(err) {
			return result, err
		}
	}
	return t.tx.ExecContext(ctx, query, args...)
}

func (t inTx) Query(ctx context.Context, query string, args ...any) (transport.Rows, error) {
	if stmt := t.ready.in(ctx, t.tx, query); stmt != nil { //nolint:sqlclosecheck // the transaction's end closes it
		if rows, err := stmt.QueryContext(ctx, args...); !elsewhere(err) { //nolint:rowserrcheck // the caller reads them
			return rows, err
		}
	}
	return t.tx.QueryContext(ctx, query, args...) //nolint:rowserrcheck // the caller reads them
}

// Prepare implements [transport.Preparer]. Not every ORM's transaction can;
// then the statement is parsed each time.
func (t inTx) Prepare(ctx context.Context, query string) (send func(ctx context.Context, args ...any) (transport.Rows, error), done func(), err error) {
	tx, ok := t.tx.(interface {
		PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
	})
	if !ok {
		return func(ctx context.Context, args ...any) (transport.Rows, error) { return t.Query(ctx, query, args...) }, func() {}, nil
	}
	stmt, err := tx.PrepareContext(ctx, query)
	if err != nil {
		return nil, nil, err
	}
	send = func(ctx context.Context, args ...any) (transport.Rows, error) {
		return stmt.QueryContext(ctx, args...) //nolint:rowserrcheck // the caller reads them
	}
	return send, func() { _ = stmt.Close() }, nil // the end of the transaction closes it too
}

// pool is one of the caller's.
type pool struct {
	db      *sql.DB
	dialect *Dialect
	ready   *prepared
	// beside: the store has a second pool for the same database.
	beside bool
	right  atomic.Bool // it was checked, or needs no check
}

func newPool(db *sql.DB, d *Dialect, beside bool) *pool {
	return &pool{db: db, dialect: d, ready: newPrepared(db, d), beside: beside}
}

// prepare runs before a transaction: it asks the dialect, once, whether a pool
// of several connections can work, and prepares statements.
func (p *pool) prepare(ctx context.Context) error {
	if p.dialect.CheckPool != nil && !p.right.Load() {
		if p.beside || p.db.Stats().MaxOpenConnections != 1 { // with one connection, all take turns
			if err := p.dialect.CheckPool(ctx, p.db); err != nil {
				return ours(err)
			}
		}
		p.right.Store(true)
	}
	p.ready.catchUp(ctx)
	return nil
}

// Acquire implements [transport.Pool].
func (p *pool) Acquire(ctx context.Context) (transport.Conn, error) {
	if err := p.prepare(ctx); err != nil {
		return nil, err
	}
	conn, err := p.db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	return &connection{pool: p, conn: conn}, nil
}

// connection holds the connection as well as its transaction, so that a bad one
// can be told apart from the rest of the pool and closed.
type connection struct {
	inTx
	pool *pool
	conn *sql.Conn
	own  *sql.Tx // nil: none is open
	// begun: statements have begun one; see [Dialect.Begin].
	begun bool
}

// Begin implements [transport.Conn].
func (c *connection) Begin(ctx context.Context, o transport.Opening) (err error) {
	if err = c.begin(ctx); err != nil {
		return transport.NotBegun{Err: err}
	}
	if o.First == "" {
		return nil
	}
	if _, err = c.Exec(ctx, o.First, o.Args...); err != nil {
		return transport.NotBegun{Err: err} // until then the role's limits apply
	}
	return nil
}

func (c *connection) begin(ctx context.Context) (err error) {
	if statements := c.pool.dialect.Begin; len(statements) > 0 {
		return c.beginWith(ctx, statements)
	}
	if c.own, err = c.conn.BeginTx(ctx, &sql.TxOptions{Isolation: c.pool.dialect.Isolation}); err != nil {
		return err
	}
	c.inTx = inTx{c.own, c.pool.ready}
	return nil
}

// Commit implements [transport.Conn].
func (c *connection) Commit(ctx context.Context) error {
	if c.begun {
		return c.sendCommit(ctx)
	}
	tx := c.own
	c.own = nil
	return tx.Commit()
}

// Rollback implements [transport.Conn].
func (c *connection) Rollback(ctx context.Context) {
	if c.begun {
		c.sendRollback(ctx)
	}
	if c.own != nil {
		_ = c.own.Rollback() // a failing rollback ends the connection
		c.own = nil
	}
}

// Send implements [transport.Conn].
func (c *connection) Send(ctx context.Context, query string) error {
	if c.own != nil {
		_, err := c.own.ExecContext(ctx, query)
		return err
	}
	return c.unlessGone(func() error {
		_, err := c.conn.ExecContext(ctx, query)
		return err
	})
}

// Release implements [transport.Conn].
func (c *connection) Release(bad bool) {
	c.Rollback(context.Background()) // of a call that panicked: Close would wait for its end
	if bad {
		c.close()
	}
	_ = c.conn.Close() // gives it back; nothing is left to fail
}

// close has the pool close the connection.
func (c *connection) close() {
	_ = c.unlessGone(func() error { return c.conn.Raw(func(any) error { return driver.ErrBadConn }) })
}

// unlessGone uses the connection outside of a transaction. If a context has ended the
// transaction before, database/sql may still be closing the connection: it looks
// whether that is closed before it locks it, and panics if it was closed in between.
func (c *connection) unlessGone(use func() error) (err error) {
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		if err = c.conn.Raw(func(any) error { return nil }); !errors.Is(err, sql.ErrConnDone) {
			panic(v)
		}
	}()
	return use()
}
