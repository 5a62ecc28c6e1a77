package sqlstore

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/internal/transport"
)

// Internals is an engine as a package sees it that brings a transport of its own:
// with what it needs to write those methods itself for which its transport knows
// a faster way, or whose transactions have a type of their own. A function that
// it hands over may be called more than once, and what it found counts only if
// the call returns nil.
type Internals struct{ engine *Engine }

// NewEngine makes an engine on a transport. It sends nothing, and fails only on
// invalid table names, with [driver.ErrName].
func NewEngine(d Dialect, c EngineConfig) (*Engine, Internals, error) {
	engine, err := newEngine(d, c)
	return engine, Internals{engine}, err
}

// Queries are the statements, with the configured names in them.
func (i Internals) Queries() *Queries { return &i.engine.queries }

// Fault says what an error means.
func (i Internals) Fault(err error) Fault { return i.engine.fault(err) }

// Error says which call failed, what kind of error it is and what to do.
func (i Internals) Error(ctx context.Context, what string, err error) error {
	return i.engine.wrap(ctx, what, err)
}

// InsertError is the same of an INSERT in a transaction of the caller's.
func (i Internals) InsertError(ctx context.Context, events []outbox.Event, err error) error {
	return i.engine.insertError(ctx, events, err)
}

// Run does one call of a relay, in a transaction of its own.
func (i Internals) Run(ctx context.Context, what string, f func(ctx context.Context, tx transport.Querier) error) error {
	return i.engine.run(ctx, i.engine.relayCall(what, func(ctx context.Context, s *Session) error { return f(ctx, s.tx) }))
}

// Over does what a call is about and returns those of its claims that are over.
type Over func(ctx context.Context, tx transport.Querier) (over []driver.Held, err error)

func (f Over) work(ctx context.Context, s *Session) ([]driver.Held, error) { return f(ctx, s.tx) }

// Renew is [Engine.Renew] with another way to renew all rows. Where some of them
// are locked, the engine's own deals with the others.
func (i Internals) Renew(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Renewal, all Over) (lost []driver.Held, err error) {
	return i.engine.renew(ctx, owner, lease, rows, all.work)
}

// Settle is [Engine.Settle] with another way to settle all outcomes. Where some
// of the rows are locked, the engine's own deals with the others.
func (i Internals) Settle(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keepDone bool, all Over) (stale []driver.Held, err error) {
	return i.engine.settle(ctx, owner, outcomes, keepDone, all.work)
}

// Plain finds out once, in a transaction of the caller's, whether the tables are
// there and of the right version, and leaves that transaction usable. It is true
// if the event table is an ordinary table and no view or the like.
func (i Internals) Plain(ctx context.Context, tx transport.Querier) (bool, error) {
	known, err := i.engine.checkSchema(ctx, i.engine.session(tx))
	if err != nil {
		return false, i.engine.insertError(ctx, nil, err)
	}
	return known.plain, nil
}

// Table looks for the event table anew.
func (i Internals) Table(ctx context.Context) (exists, plain bool, err error) {
	var found foundSchema
	err = i.engine.run(ctx, i.engine.relayCall("look at the event table", func(ctx context.Context, s *Session) (err error) {
		found, err = i.engine.findTables(ctx, s)
		return err
	}).single())
	return found.exists, found.plain, err
}

// Record is that of a [driver.Ledger].
func (i Internals) Record(ctx context.Context, tx transport.Querier, group string, ids []string) ([]bool, error) {
	return i.engine.record(ctx, i.engine.session(tx), group, ids)
}

// NotifyIn is that of a [driver.TxNotifyStore].
func (i Internals) NotifyIn(ctx context.Context, tx transport.Querier, lanes []string) error {
	return i.engine.notifyIn(ctx, i.engine.session(tx), lanes)
}
