package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Store keeps events in a SQL database, through database/sql. It is safe for
// concurrent use and holds nothing that must be closed: the pool is the caller's,
// and statements that were prepared on it are closed with it.
type Store struct {
	*Engine
	callers *pool
}

var (
	_ outbox.TxStore[*sql.Tx] = (*Store)(nil)
	_ driver.Ledger[*sql.Tx]  = (*Store)(nil)
)

// Config changes a [Store]. The zero value is the documented default.
type Config struct {
	// Tables names the tables. Default: the names in [Tables].
	Tables Tables
	// Relay is the pool for what a relay needs to keep going, so that an
	// application that uses up its connections does not keep leases from being
	// renewed. Give it a few connections (4 are enough) to the same database.
	// Default: the pool of the store, which is right unless that one is small
	// or busy. SQLite has one writer; leave it nil there.
	Relay *sql.DB
	// StatementTimeout bounds each call of the relay, including its retries.
	// Default: 5 s.
	StatementTimeout time.Duration
	// SweepTimeout bounds the calls that delete or count many rows, and the
	// calls of operators. Default: 30 s.
	SweepTimeout time.Duration
}

// New makes a store. It sends nothing to the database, and fails only on
// invalid table names, with [driver.ErrName].
func New(db *sql.DB, d Dialect, c Config) (*Store, error) {
	beside := c.Relay != nil && c.Relay != db
	callers := newPool(db, &d, beside)
	relay := callers
	if beside {
		relay = newPool(c.Relay, &d, beside)
	}
	engine, err := newEngine(d, EngineConfig{
		Tables: c.Tables, StatementTimeout: c.StatementTimeout, SweepTimeout: c.SweepTimeout,
		Relay: relay, People: callers,
	})
	if err != nil {
		return nil, err
	}
	return &Store{Engine: engine, callers: callers}, nil
}

// Begin implements [outbox.TxStore] with the database's default isolation.
func (s *Store) Begin(ctx context.Context) (tx *sql.Tx, commit, rollback func() error, err error) {
	if err := s.callers.prepare(ctx); err != nil {
		return nil, nil, nil, s.wrap(ctx, "begin", err)
	}
	tx, err = s.callers.db.BeginTx(ctx, nil)
	if err != nil {
		return nil, nil, nil, s.wrap(ctx, "begin", err)
	}
	if _, err := s.in(tx).ExecIfAny(ctx, s.queries.Begin); err != nil {
		_ = tx.Rollback() // err says why
		return nil, nil, nil, s.wrap(ctx, "begin", err)
	}
	commit = func() error {
		err := tx.Commit()
		if err != nil && s.fault(err) == FaultLost {
			return fmt.Errorf("%w: %w", outbox.ErrCommitUnknown, err)
		}
		return err
	}
	rollback = func() error {
		if err := tx.Rollback(); !errors.Is(err, sql.ErrTxDone) {
			return err
		}
		return nil
	}
	return tx, commit, rollback, nil
}

// in makes a session for the caller's transaction.
func (s *Store) in(tx contextQuerier) *Session { return s.session(inTx{tx, s.callers.ready}) }

var errNilTx = fmt.Errorf("%w: it is nil", outbox.ErrNoTransaction)

// Insert implements [outbox.TxStore]. The first call checks the tables, in a
// way that leaves the transaction usable.
func (s *Store) Insert(ctx context.Context, tx *sql.Tx, req outbox.InsertRequest) ([]outbox.Inserted, error) {
	if tx == nil {
		return nil, errNilTx
	}
	return s.insert(ctx, s.in(tx), req)
}

// Record implements [driver.Ledger]. The first call checks that there is a
// ledger, in a way that leaves the transaction usable.
func (s *Store) Record(ctx context.Context, tx *sql.Tx, group string, ids []string) ([]bool, error) {
	if tx == nil {
		return nil, errNilTx
	}
	return s.record(ctx, s.in(tx), group, ids)
}

// NotifyIn implements [driver.TxNotifyStore]. Where the database has no wake-ups
// it does nothing.
func (s *Store) NotifyIn(ctx context.Context, tx *sql.Tx, lanes []string) error {
	if tx == nil {
		return errNilTx
	}
	return s.notifyIn(ctx, s.in(tx), lanes)
}
