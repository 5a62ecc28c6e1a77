package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/internal/transport"
)

// Fault is what an error of the driver means.
type Fault int

// The faults. All but FaultLost are answers of the database, which has then not
// committed.
const (
	// FaultOther: none of the others; sending it again would not help.
	FaultOther Fault = iota
	// FaultLost: no answer came, or the connection ended with it.
	FaultLost
	// FaultConflict: rolled back because of other transactions; send it again.
	FaultConflict
	// FaultLocked: a lock was not free within the time to wait for it.
	FaultLocked
	// FaultLimit: the server ended a statement or transaction that ran, or was
	// idle, for longer than a limit allows.
	FaultLimit
	// FaultReadOnly: the server behind this connection became a replica.
	FaultReadOnly
	// FaultDuplicate: a key exists already.
	FaultDuplicate
	// FaultMissing: a table or column does not exist.
	FaultMissing
	// FaultLogin: the server refuses the user, the password or the database.
	FaultLogin
	// FaultEnded: the transaction was committed or rolled back before.
	FaultEnded
)

// ours marks an error that comes from this package, not from the driver.
func ours(err error) error { return transport.Ours{Err: err} }

// fault classifies any error that a transaction may return.
func (s *Engine) fault(err error) Fault {
	switch {
	case errors.As(err, new(transport.Ours)):
		return FaultOther
	case errors.Is(err, errAgain), errors.Is(err, errBusy):
		return FaultConflict
	case errors.Is(err, sql.ErrTxDone):
		return FaultEnded
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return FaultLost
	}
	return s.dialect.Fault(err)
}

// repeatable reports whether it is worth sending again at once.
func (s *Engine) repeatable(err error) bool {
	switch s.fault(err) {
	case FaultConflict, FaultReadOnly:
		return true
	case FaultLost, FaultLimit: // a pooled connection that had died unnoticed, or was slow to begin
		return errors.As(err, new(transport.NotBegun))
	}
	return false
}

// ruins reports whether a connection is lost or leads to a replica, and must
// not be used again. Closing one may end an embedded database.
func (s *Engine) ruins(err error) bool {
	if err == nil || s.dialect.Embedded {
		return false
	}
	switch s.fault(err) {
	case FaultReadOnly:
		return true
	case FaultLost, FaultLimit:
		return !s.config.KnowsLost
	}
	return false
}

const adviceMigrate = "run `outbox migrate up`, or Migrate of the store"

// wrap says which call failed, what kind of error it is and what to do. Ctx is
// the caller's: if it has ended, the database is not to blame.
func (s *Engine) wrap(ctx context.Context, what string, err error) error {
	if ended := ctx.Err(); ended != nil && !errors.Is(err, ended) {
		return fmt.Errorf("outbox: %s: %w: %w", what, ended, err)
	} else if ended != nil {
		return fmt.Errorf("outbox: %s: %w", what, err)
	}
	if own := (transport.Ours{}); errors.As(err, &own) && errors.Is(err, outbox.ErrSchema) {
		return own.Err // which says everything
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
		return fmt.Errorf("%w: %s: %s: %w", outbox.ErrSchema, what, adviceMigrate, err)
	}
	if s.dialect.Advice != nil {
		if advice := s.dialect.Advice(err); advice != "" {
			return fmt.Errorf("outbox: %s: %s: %w", what, advice, err)
		}
	}
	return fmt.Errorf("outbox: %s: %w", what, err)
}

// inCallers is wrap for a failure in the caller's transaction. The caller
// starts over after a conflict, and has to see why.
func (s *Engine) inCallers(ctx context.Context, what string, conflict, err error) error {
	if errors.Is(err, outbox.ErrSchema) {
		return err
	}
	switch fault := s.fault(err); fault {
	case FaultEnded:
		return fmt.Errorf("%w: it was committed or rolled back before: %w", outbox.ErrNoTransaction, err)
	case FaultConflict, FaultLocked:
		switch {
		case conflict != nil:
			return fmt.Errorf("%w: %s: %w", conflict, what, err)
		case fault == FaultConflict && s.dialect.ConflictAdvice != "":
			return fmt.Errorf("outbox: %s: %s: %w", what, s.dialect.ConflictAdvice, err)
		}
		return fmt.Errorf("outbox: %s: %w", what, err)
	}
	return s.wrap(ctx, what, err)
}

// CommitError implements [outbox.TxStore]. The error may also be the
// application's, passed on by whatever ran the transaction: only what is known
// to come from the connection or the database counts as a lost answer.
func (s *Engine) CommitError(err error) error {
	if err == nil || errors.Is(err, outbox.ErrCommitUnknown) {
		return err
	}
	if fault := s.fault(err); (fault == FaultLost || fault == FaultLimit) && (driver.ConnectionLost(err) || (s.dialect.Answer != nil && s.dialect.Answer(err))) {
		return fmt.Errorf("%w: %w", outbox.ErrCommitUnknown, err)
	}
	return err
}
