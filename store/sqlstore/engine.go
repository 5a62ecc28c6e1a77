package sqlstore

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/internal/transport"
)

// Engine is the part of a store that does not depend on the type of its
// transactions: the relay's half, dead letters, figures, the upkeep of the
// ledger, and the tables. [Store] embeds it, and so does the store of package
// pgxstore. It is safe for concurrent use.
type Engine struct {
	dialect *Dialect
	config  EngineConfig
	names   *naming
	queries Queries
	schema  atomic.Pointer[schema] // nil until the tables were checked
	late    sync.Map               // kinds of calls of which the last one ended for its time
	ledger  atomic.Bool            // the table of consumed events was found
}

var (
	_ driver.Store           = (*Engine)(nil)
	_ driver.DeadLetterStore = (*Engine)(nil)
	_ driver.StatsStore      = (*Engine)(nil)
	_ driver.ControlStore    = (*Engine)(nil)
	_ driver.InstanceStore   = (*Engine)(nil)
	_ driver.ExpiringStore   = (*Engine)(nil)
	_ driver.NotifyStore     = (*Engine)(nil)
)

// EngineConfig says what an engine runs on.
type EngineConfig struct {
	Tables                         Tables
	StatementTimeout, SweepTimeout time.Duration // as in [Config]
	// Relay is for what a relay needs to keep going, and People for everything
	// else, so that no other call can take the relay's connections.
	Relay, People transport.Pool
	// Pipelined says that the opening statements of a transaction cost no round
	// trip. Then every call sends its limits, and a relay's calls also send the
	// settings that keep their plans.
	Pipelined bool
	// KnowsLost says that the transport itself gives up a connection that is lost.
	// Then one is kept on which the server answered, whatever it said.
	KnowsLost bool
}

func (c EngineConfig) withDefaults() EngineConfig {
	if c.StatementTimeout <= 0 {
		c.StatementTimeout = 5 * time.Second
	}
	if c.SweepTimeout <= 0 {
		c.SweepTimeout = 30 * time.Second
	}
	return c
}

func newEngine(d Dialect, c EngineConfig) (*Engine, error) {
	names, err := newNaming(&d, c.Tables)
	if err != nil {
		return nil, err
	}
	return &Engine{dialect: &d, config: c.withDefaults(), names: names, queries: loadQueries(&d, names)}, nil
}

// Dialect returns the dialect that the store was made with.
func (s *Engine) Dialect() Dialect { return *s.dialect }

// session makes a session for a transaction.
func (s *Engine) session(tx transport.Querier) *Session {
	return &Session{Dialect: s.dialect, Queries: &s.queries, tx: tx}
}
