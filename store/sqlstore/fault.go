package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Fault is what an error of the driver means.
type Fault int

// The faults. All but FaultLost were answered by the database, which has then
// not committed.
const (
	// FaultOther: none of the others; sending it again would not help.
	FaultOther Fault = iota
	// FaultLost: no answer came, or the connection ended with it.
	FaultLost
	// FaultConflict: rolled back because of others; to be sent again.
	FaultConflict
	// FaultLocked: others had locked something for longer than it was to be
	// waited for.
	FaultLocked
	// FaultLimit: the server ended a statement or a transaction that took
	// longer, or was silent for longer, than somebody allows.
	FaultLimit
	// FaultReadOnly: the server behind this connection became a replica.
	FaultReadOnly
	// FaultDuplicate: a key exists already.
	FaultDuplicate
	// FaultMissing: a table or column does not exist.
	FaultMissing
	// FaultLogin: the server refuses the user, the password or the database.
	FaultLogin
)

// errOurs is an error that this package found, not the driver.
type errOurs struct{ error }

func (e errOurs) Unwrap() error { return e.error }

// fault classifies any error that may come out of a transaction.
func (s *Store) fault(err error) Fault {
	if errors.As(err, new(errOurs)) {
		return FaultOther
	}
	if errors.Is(err, errAgain) {
		return FaultConflict
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return FaultLost
	}
	return s.dialect.Fault(err)
}

// wrap says which call failed and what kind of error it is. Ctx is the
// caller's: if it has ended, the database is not to blame.
func (s *Store) wrap(ctx context.Context, what string, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("outbox: %s: %w", what, err)
	}
	if ours := (errOurs{}); errors.As(err, &ours) && errors.Is(err, outbox.ErrSchema) {
		return ours.error // which says all of it
	}
	switch s.fault(err) {
	case FaultLost, FaultReadOnly, FaultConflict, FaultLocked, FaultLimit:
		return fmt.Errorf("%w: %s: %w", outbox.ErrStoreDown, what, err)
	case FaultLogin:
		return fmt.Errorf("%w: %s: %w", outbox.ErrStoreLogin, what, err)
	case FaultMissing:
		if what == migrating {
			return fmt.Errorf("%w: %s: %w", outbox.ErrSchema, what, err)
		}
		return fmt.Errorf("%w: %s: run `outbox migrate up`, or Migrate of the store: %w", outbox.ErrSchema, what, err)
	}
	return fmt.Errorf("outbox: %s: %w", what, err)
}

// CommitError implements [outbox.TxStore]. An error may as well be one of the
// business, handed on by whatever ran the transaction: only what is known to
// come from the connection or the database counts as a lost answer.
func (s *Store) CommitError(err error) error {
	if err == nil || errors.Is(err, sql.ErrTxDone) || errors.Is(err, outbox.ErrCommitUnknown) {
		return err
	}
	if fault := s.fault(err); (fault == FaultLost || fault == FaultLimit) && (driver.ConnectionLost(err) || (s.dialect.Answer != nil && s.dialect.Answer(err))) {
		return fmt.Errorf("%w: %w", outbox.ErrCommitUnknown, err)
	}
	return err
}
