package outbox

import (
	"context"
	"time"
)

// TxStore is the writer's half of a store. Tx is the caller's transaction, for
// example *sql.Tx or pgx.Tx.
type TxStore[Tx any] interface {
	// Insert stores events inside tx, in order, and answers for each. The
	// events are valid and their number and size are bounded by the writer. It
	// refuses a nil or finished tx with [ErrNoTransaction], and the id of a
	// pending or done row with [ErrDuplicateID]. The id of a dead event may be
	// written again.
	Insert(ctx context.Context, tx Tx, req InsertRequest) ([]Inserted, error)
	// Begin starts a transaction of the store's own database for
	// [Writer.InTx]. Commit reports a lost answer as [ErrCommitUnknown].
	Begin(ctx context.Context) (tx Tx, commit, rollback func() error, err error)
	// CommitError classifies an error of a transaction's end: it wraps a lost
	// answer, after which the transaction may have been committed, with
	// [ErrCommitUnknown], and returns any other as it is.
	CommitError(err error) error
}

// InsertRequest is what a writer stores with one statement, or a few.
type InsertRequest struct {
	Events []Event
	// HeadStart, if positive, keeps other relays away from the rows for that
	// long, counted by the real clock of the database.
	HeadStart time.Duration
	// IfAbsent skips events whose id is stored already, as a pending, done or
	// dead event, without breaking the transaction.
	IfAbsent bool
}

// Inserted answers for one event of an [InsertRequest].
type Inserted struct {
	// Seq is the row's position in the order; 0 if the row was not inserted.
	Seq int64
	// TopLevel is true only if the store can prove that the row was not
	// written inside a savepoint.
	TopLevel bool
}
