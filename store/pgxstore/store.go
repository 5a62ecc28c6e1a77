package pgxstore

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/pgstore"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// Store keeps events in PostgreSQL. It is safe for concurrent use. Close it
// after the relays and writers that use it, and before the pool.
type Store struct {
	// Engine has everything that pgx's own interface does not make faster.
	*sqlstore.Engine
	engine  sqlstore.Internals
	queries *sqlstore.Queries
	channel string
	pool    *pgxpool.Pool
	relay   *relayPool
	encode  encoder // for the relay's connections
	spare   spare
	table   atomic.Int32 // unknown, ordinary or special
}

var (
	_ driver.Store                 = (*Store)(nil)
	_ outbox.TxStore[pgx.Tx]       = (*Store)(nil)
	_ driver.TxNotifyStore[pgx.Tx] = (*Store)(nil)
	_ driver.Ledger[pgx.Tx]        = (*Store)(nil)
)

// Config changes a [Store]. The zero value is the documented default.
type Config struct {
	// Tables names the tables. Default: the names in [pgstore.Tables], in the
	// schema "public".
	Tables pgstore.Tables
	// StatementTimeout bounds each call of the relay, including its retries.
	// Default: 5 s.
	StatementTimeout time.Duration
	// SweepTimeout bounds the calls that delete or count many rows, and the
	// calls of operators. Default: 30 s.
	SweepTimeout time.Duration
	// RelayConns bounds the pool that the store derives for the relay.
	// Default: 4.
	RelayConns int
	// Relay is the pool for the relay's own statements instead of a derived
	// one. The caller closes it. Default: none.
	Relay *pgxpool.Pool
}

// New makes a store on a pool. It sends nothing to the database. The zero value
// of the configuration is the documented default. It fails only on invalid table
// names, with [driver.ErrName].
func New(pool *pgxpool.Pool, c Config) (*Store, error) {
	if c.RelayConns <= 0 {
		c.RelayConns = 4
	}
	relay := &relayPool{from: pool, given: c.Relay, conns: int32(min(c.RelayConns, 1000))}
	engine, internals, err := sqlstore.NewEngine(dialect(), sqlstore.EngineConfig{
		Tables: c.Tables, StatementTimeout: c.StatementTimeout, SweepTimeout: c.SweepTimeout,
		Relay: conns(relay.get), People: conns(func() (*pgxpool.Pool, error) { return pool, nil }), Pipelined: true, KnowsLost: true,
	})
	if err != nil {
		return nil, err
	}
	channel, err := pgstore.Channel(c.Tables)
	if err != nil {
		return nil, err
	}
	mode := pool.Config().ConnConfig.DefaultQueryExecMode
	if c.Relay != nil {
		mode = c.Relay.Config().ConnConfig.DefaultQueryExecMode
	}
	return &Store{
		Engine: engine, engine: internals, queries: internals.Queries(), channel: channel,
		pool: pool, relay: relay, encode: encoderFor(mode),
	}, nil
}

// dialect is PostgreSQL's with what only pgx knows about an error.
func dialect() sqlstore.Dialect {
	d := pgstore.Dialect()
	d.Fault = faults(d.Fault)
	return d
}

// Close closes the connections that the store opened for the relay. The pool
// that it was made with stays open. Calls of the relay fail from then on with
// [outbox.ErrStoreDown]. It may be called more than once.
func (s *Store) Close() { s.relay.close() }

// Lanes implements [driver.Store]. It forgets what is known about the event
// table, so that the next claim checks it again.
func (s *Store) Lanes(ctx context.Context, after string, limit int) ([]driver.WaitingLane, error) {
	s.table.Store(unknown)
	return s.Engine.Lanes(ctx, after, limit)
}
