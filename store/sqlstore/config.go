package sqlstore

import (
	"database/sql"
	"time"
)

// Config changes a [Store]. The zero value is the documented default.
type Config struct {
	// Tables names the tables. Default: the names in [Tables].
	Tables Tables
	// Relay is the pool of the relay's own statements, so that a business that
	// uses up its connections does not keep leases from being renewed. Give it
	// a few connections (4 are enough) to the same database. Default: the
	// pool of the store, which is right unless that one is small or busy.
	// SQLite has one writer; leave it nil there.
	Relay *sql.DB
	// StatementTimeout bounds each call of the relay, including its
	// repetitions. Default: 5 s.
	StatementTimeout time.Duration
	// SweepTimeout bounds the calls that delete or count many rows.
	// Default: 30 s.
	SweepTimeout time.Duration
}

func (c Config) withDefaults() Config {
	if c.StatementTimeout <= 0 {
		c.StatementTimeout = 5 * time.Second
	}
	if c.SweepTimeout <= 0 {
		c.SweepTimeout = 30 * time.Second
	}
	return c
}
