package sqlstore

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/internal/transport"
)

// Internals is an engine as seen by a package with its own transport: it has
// what that package needs to write the methods for which its transport knows a
// faster way, or whose transactions have their own type. A function passed to
// it may be called more than once, and its results count only if the call
// returns nil.
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

// InsertError is the same for an INSERT in the caller's transaction.
func (i Internals) InsertError(ctx context.Context, events []outbox.Event, err error) error {
	return i.engine.insertError(ctx, events, err)
}

// Run makes one call of a relay, in its own transaction.
func (i Internals) Run(ctx context.Context, what string, f func(ctx context.Context, tx transport.Querier) error) error {
	return i.engine.run(ctx, i.engine.relayCall(what, func(ctx context.Context, s *Session) error { return f(ctx, s.tx) }))
}

// Over does the work of a call and returns those of its claims that are over.
type Over func(ctx context.Context, tx transport.Querier) (over []driver.Held, err error)

func (f Over) work(ctx context.Context, s *Session) ([]driver.Held, error) { return f(ctx, s.tx) }

// Renew is [Engine.Renew] with another way to renew all rows. If some of them
// are locked, the engine renews the others in its own way.
func (i Internals) Renew(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Renewal, all Over) (lost []driver.Held, err error) {
	return i.engine.renew(ctx, owner, lease, rows, all.work)
}

// Settle is [Engine.Settle] with another way to settle all outcomes. If some of
// the rows are locked, the engine settles the others in its own way.
func (i Internals) Settle(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keepDone bool, all Over) (stale []driver.Held, err error) {
	return i.engine.settle(ctx, owner, outcomes, keepDone, all.work)
}

// Plain checks once, in the caller's transaction, that the tables exist and
// have the right version, and leaves that transaction usable. It returns true
// if the event table is an ordinary table, not a view or the like.
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

// Record is the Record of a [driver.Ledger].
func (i Internals) Record(ctx context.Context, tx transport.Querier, group string, ids []string) ([]bool, error) {
	return i.engine.record(ctx, i.engine.session(tx), group, ids)
}

// NotifyIn is the NotifyIn of a [driver.TxNotifyStore].
func (i Internals) NotifyIn(ctx context.Context, tx transport.Querier, lanes []string) error {
	return i.engine.notifyIn(ctx, i.engine.session(tx), lanes)
}
