package outbox

import "errors"

// Errors of the write side.
var (
	// ErrInvalidEvent: the event breaks a limit; nothing was sent to the
	// database, and the transaction is unchanged.
	ErrInvalidEvent = errors.New("outbox: invalid event")
	// ErrNoTransaction: the transaction is nil, or was already committed or
	// rolled back. Begin one, write, then commit.
	ErrNoTransaction = errors.New("outbox: no open transaction")
	// ErrDuplicateID: an event with that id is stored already. On PostgreSQL
	// the transaction can now only be rolled back; use WriteIfAbsent where you
	// expect repetitions.
	ErrDuplicateID = errors.New("outbox: event id already exists")
	// ErrUnknownType: the type is not one of those given to WithKnownTypes.
	ErrUnknownType = errors.New("outbox: unknown event type")
	// ErrRolledBack is for the done function of [Writer.Track]: the transaction
	// was rolled back, and there is no other error to pass.
	ErrRolledBack = errors.New("outbox: rolled back")
	// ErrCommitUnknown: the answer to COMMIT was lost. The transaction, and
	// its events, may or may not exist; if they do, they are delivered.
	ErrCommitUnknown = errors.New("outbox: outcome of the commit is unknown")
)

// Errors of stores.
var (
	// ErrSchema: the tables are missing or have another version. Run `outbox
	// migrate up`, or Migrate of the store.
	ErrSchema = errors.New("outbox: database schema")
	// ErrStoreDown: the database did not answer. The statement may or may not
	// have run; sending it again is safe.
	ErrStoreDown = errors.New("outbox: database unavailable")
)

// ErrStoreLogin says that the database answers but refuses the user, the password or the
// database name. Unlike an outage this does not pass by itself, so a relay that
// gets it from its start gives up. It is also an [ErrStoreDown]: nothing
// was executed.
var ErrStoreLogin error = storeLogin{}

type storeLogin struct{}

func (storeLogin) Error() string {
	return "outbox: the database refuses the login: check user, password and database name"
}

func (storeLogin) Is(target error) bool { return target == ErrStoreDown }

// Errors of consumers.
var (
	// ErrInvalidID: a consumer group or an event's id is missing or breaks a
	// limit; nothing was sent to the database, and the transaction is
	// unchanged.
	ErrInvalidID = errors.New("outbox: invalid id")
	// ErrConflict: other transactions are in the way. Roll back and begin
	// again, or let the broker redeliver.
	ErrConflict = errors.New("outbox: conflict with other transactions")
)

// Errors of routing.
var (
	// ErrRegistry: registrations contradict each other.
	ErrRegistry = errors.New("outbox: registry")
)

// Skip is returned by a [WriteHook]'s BeforeWrite to leave an event unwritten
// without an error.
var Skip = errors.New("outbox: skip this event")
