package outbox

import (
	"context"
	"time"
)

// Ledger remembers which events a consumer group has had, in the database of
// their effects. Tx is the consumer's transaction, for example *sql.Tx or
// pgx.Tx. Every method is safe for concurrent use.
type Ledger[Tx any] interface {
	// Begin starts a transaction of the ledger's own database. Commit reports
	// a lost answer as [ErrCommitUnknown].
	Begin(ctx context.Context) (tx Tx, commit, rollback func() error, err error)
	// Record notes, inside tx, that the group has had these events, and
	// reports for each id whether it is new. The ids are valid and distinct.
	// While another transaction that noted the same id is open, Record waits
	// for its end: new if it rolled back, known if it committed. A nil or
	// finished tx is refused with [ErrNoTransaction].
	Record(ctx context.Context, tx Tx, group string, ids []string) (fresh []bool, err error)
	// Forget removes at most limit entries, of any group, that are older than
	// age by the database's clock, and returns how many. It returns 0 without
	// waiting while another instance forgets.
	Forget(ctx context.Context, age time.Duration, limit int) (int, error)
}
