package pgxstore

import (
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/pgstore"
)

// Store keeps events in PostgreSQL. It is safe for concurrent use. Close it
// after the relays and writers that use it, and before the pool.
type Store struct {
	pool    *pgxpool.Pool
	relay   relayPool
	config  Config
	queries pgstore.Queries
	channel string
	encode  encoder // for the relay's connections
	spare   spare
	schema  atomic.Pointer[schema] // nil until the tables were found right
	ledger  atomic.Bool            // the table of consumed events was found
	table   atomic.Int32           // unknown, ordinary or special
}

var (
	_ driver.Store           = (*Store)(nil)
	_ outbox.TxStore[pgx.Tx] = (*Store)(nil)
	_ driver.DeadLetterStore = (*Store)(nil)
	_ driver.StatsStore      = (*Store)(nil)
	_ driver.ControlStore    = (*Store)(nil)
	_ driver.InstanceStore   = (*Store)(nil)
	_ driver.ExpiringStore   = (*Store)(nil)
	_ driver.NotifyStore     = (*Store)(nil)
)

// New makes a store on a pool. It sends nothing to the database. The zero value
// of the configuration is the documented default. It fails only on invalid table
// names, with [driver.ErrName].
func New(pool *pgxpool.Pool, c Config) (*Store, error) {
	queries, err := pgstore.Resolve(c.Tables)
	if err != nil {
		return nil, err
	}
	channel, err := pgstore.Channel(c.Tables)
	if err != nil {
		return nil, err
	}
	c = c.withDefaults()
	relaysPool := pool
	if c.Relay != nil {
		relaysPool = c.Relay
	}
	return &Store{
		pool:    pool,
		relay:   relayPool{from: pool, given: c.Relay, conns: int32(min(c.RelayConns, 1000))},
		config:  c,
		queries: queries,
		channel: channel,
		encode:  encoderFor(relaysPool.Config().ConnConfig.DefaultQueryExecMode),
	}, nil
}

// Close closes the connections that the store opened for the relay. The pool
// that it was made with stays open. Calls of the relay fail from then on with
// [outbox.ErrStoreDown]. It may be called more than once.
func (s *Store) Close() { s.relay.close() }
