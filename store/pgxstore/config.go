package pgxstore

import (
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sendoff-go/outbox/store/pgstore"
)

// Config changes a [Store]. The zero value is the documented default.
type Config struct {
	// Tables names the tables. Default: the names in [pgstore.Tables], in the
	// schema "public".
	Tables pgstore.Tables
	// StatementTimeout bounds each call of the relay, including its
	// repetitions. Default: 5 s.
	StatementTimeout time.Duration
	// SweepTimeout bounds the calls that delete or count many rows.
	// Default: 30 s.
	SweepTimeout time.Duration
	// RelayConns bounds the pool that the store derives for the relay.
	// Default: 4.
	RelayConns int
	// Relay is the pool of the relay's own statements in place of a derived
	// one, and is the caller's to close. Default: none.
	Relay *pgxpool.Pool
}

func (c Config) withDefaults() Config {
	if c.StatementTimeout <= 0 {
		c.StatementTimeout = 5 * time.Second
	}
	if c.SweepTimeout <= 0 {
		c.SweepTimeout = 30 * time.Second
	}
	if c.RelayConns <= 0 {
		c.RelayConns = 4
	}
	return c
}
