package driver

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sendoff-go/outbox"
)

// Ledger remembers which events a consumer group has had, in the database of
// their effects. Tx is the consumer's transaction, for example *sql.Tx or
// pgx.Tx. The stores of this module are ledgers; a driver is whatever passes
// package inboxtest. Every method is safe for concurrent use.
type Ledger[Tx any] interface {
	// Begin starts a transaction of the ledger's own database. Commit reports
	// a lost answer as [outbox.ErrCommitUnknown].
	Begin(ctx context.Context) (tx Tx, commit, rollback func() error, err error)
	// CommitError classifies an error of a transaction's end, as that of
	// [outbox.TxStore] does.
	CommitError(err error) error
	// Record notes, inside tx, that the group has had these events, and reports
	// for each id whether it is new. The ids are distinct; Record checks them
	// and the group with [CheckConsumed] before it sends anything. While
	// another transaction that noted one of them is open, Record waits for its
	// end: new if it rolled back, known if it committed. Where the database
	// cannot tell, because tx has an older snapshot or is in a deadlock, it
	// fails with [outbox.ErrConflict]: it never guesses. It refuses a nil or
	// finished tx with [outbox.ErrNoTransaction].
	Record(ctx context.Context, tx Tx, group string, ids []string) (fresh []bool, err error)
	// Known reports for each id whether a committed transaction noted it.
	Known(ctx context.Context, group string, ids []string) ([]bool, error)
	// Forget removes at most limit entries of the group that are older than age
	// by the database's clock, oldest first, and returns how many. It returns 0
	// without waiting while another instance is in Forget.
	Forget(ctx context.Context, group string, age time.Duration, limit int) (int, error)
}

// MaxGroupLength is the number of printable ASCII characters that the name of
// a consumer group may have.
const MaxGroupLength = 128

// CheckConsumed reports what is wrong with a group or with ids, as
// [outbox.ErrInvalidID]. A database that truncates or folds a value would take
// two ids for one.
func CheckConsumed(group string, ids ...string) error {
	if err := checkPrintable(group, MaxGroupLength); err != nil {
		return fmt.Errorf("%w: consumer group %q %w", outbox.ErrInvalidID, cutString(group, 2*MaxGroupLength), err)
	}
	for _, id := range ids {
		if err := checkPrintable(id, outbox.MaxIDLength); err != nil {
			return fmt.Errorf("%w: event id %q %w", outbox.ErrInvalidID, cutString(id, 2*outbox.MaxIDLength), err)
		}
	}
	return nil
}

func checkPrintable(s string, limit int) error {
	if s == "" {
		return errors.New("is missing: give 1 or more printable ASCII characters")
	}
	if len(s) > limit {
		return fmt.Errorf("has %d bytes: at most %d are allowed", len(s), limit)
	}
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c > '~' {
			return fmt.Errorf("has byte 0x%02x at %d: only printable ASCII without spaces is allowed", c, i)
		}
	}
	return nil
}
