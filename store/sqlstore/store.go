package sqlstore

import (
	"database/sql"
	"sync/atomic"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Store keeps events in a SQL database. It is safe for concurrent use and
// holds nothing that must be closed: the pool is the caller's, and statements
// that were prepared on it are closed with it.
type Store struct {
	db      *pool // of the application's transactions
	relay   *pool // of everything else
	dialect *Dialect
	config  Config
	names   *naming
	queries Queries
	ready   *prepared              // on db
	relayed *prepared              // on relay
	schema  atomic.Pointer[schema] // nil until the tables were found right
	ledger  atomic.Bool            // the table of consumed events was found
}

var (
	_ driver.Store            = (*Store)(nil)
	_ outbox.TxStore[*sql.Tx] = (*Store)(nil)
	_ driver.DeadLetterStore  = (*Store)(nil)
	_ driver.StatsStore       = (*Store)(nil)
	_ driver.ControlStore     = (*Store)(nil)
	_ driver.InstanceStore    = (*Store)(nil)
	_ driver.ExpiringStore    = (*Store)(nil)
	_ driver.NotifyStore      = (*Store)(nil)
)

// New makes a store. It sends nothing to the database, and fails only on names
// that are none, with [driver.ErrName].
func New(db *sql.DB, d Dialect, c Config) (*Store, error) {
	names, err := newNaming(&d, c.Tables)
	if err != nil {
		return nil, err
	}
	s := &Store{
		db:      &pool{DB: db, beside: c.Relay != nil && c.Relay != db},
		dialect: &d,
		config:  c.withDefaults(),
		names:   names,
		queries: loadQueries(&d, names),
		ready:   newPrepared(db, &d),
	}
	s.relay, s.relayed = s.db, s.ready
	if s.db.beside {
		s.relay, s.relayed = &pool{DB: c.Relay, beside: true}, newPrepared(c.Relay, &d)
	}
	return s, nil
}

// Dialect is the one that the store was made with.
func (s *Store) Dialect() Dialect { return *s.dialect }

// session is for a transaction of the business.
func (s *Store) session(tx querier) *Session {
	return &Session{Dialect: s.dialect, Queries: &s.queries, tx: tx, ready: s.ready}
}
