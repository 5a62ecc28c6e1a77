package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Store is what every store can do: the relay's half and the writer's. What
// else it can do is a [Power]. If a driver has its methods in several types,
// embed those in a struct.
type Store[Tx any] interface {
	driver.Store
	outbox.TxStore[Tx]
}

// Open returns a fresh, empty, migrated store and closes it with t.Cleanup.
type Open[Tx any] func(t testing.TB) Subject[Tx]

// Subject is one store under test and what else the suite needs. A nil function
// skips the laws that need it, which the log of [Run] lists.
type Subject[Tx any] struct {
	Store Store[Tx]

	// Client returns another client of the same database, with its own
	// connections. Default: Store itself.
	Client func(t testing.TB) Store[Tx]

	// Change makes a change of the application in tx, and Changes counts the
	// committed ones.
	Change  func(ctx context.Context, tx Tx) error
	Changes func(ctx context.Context) (int, error)

	// Savepoint and RollbackTo are those of the database.
	Savepoint  func(ctx context.Context, tx Tx, name string) error
	RollbackTo func(ctx context.Context, tx Tx, name string) error

	// Expire ends the leases and head starts of those events at once, as if
	// their time had passed: where locked_until is set, it is moved into the
	// past; nothing else changes. The random test needs it.
	Expire func(ctx context.Context, ids ...string) error

	// LockRow locks the row of an event in another session, like a person who
	// has changed it and not committed, until release is called. Nil for stores
	// without row locks.
	LockRow func(t testing.TB, id string) (release func())

	// LockKept locks, like LockRow, what the store keeps for a power: the dead
	// letters of an event, or the group, the alert, the job or the entry of the
	// audit log of that id.
	LockKept func(t testing.TB, p Power, id string) (release func())

	// LockTable keeps other sessions from changing any event until release is
	// called, like a session that changes the table. Nil for stores without such
	// a lock.
	LockTable func(t testing.TB) (release func())

	// Hasty returns another client of the same database, whose calls may take no
	// longer than a second or two, by their own limits.
	Hasty func(t testing.TB) Store[Tx]

	// Waker gives a source of the wake-ups that Notify and NotifyIn of Store
	// cause. Its first wake-up, for any lane, says that it listens. Nil for
	// stores whose wake-ups nobody can hear.
	Waker func(t testing.TB) driver.Waker

	// Exec runs SQL outside of any transaction, for rows that other programs
	// write. Nil for stores without SQL.
	Exec func(ctx context.Context, query string) error
	// Table is the outbox table in that SQL. Default: outbox_event.
	Table string
	// TimeLiteral is a time in that SQL. Default: '2006-01-02 15:04:05.000000'
	// in UTC.
	TimeLiteral func(t time.Time) string

	// Down returns a client whose database cannot be reached.
	Down func(t testing.TB) Store[Tx]
	// Silent returns a client of a database of its own, empty and migrated, and
	// a function that makes that database silent: it answers nothing on
	// connections that exist, and accepts others without a word, until speak is
	// called. Calls of the client may take no longer than a second or two, by
	// their own limits. Nil for stores that have no connections.
	Silent func(t testing.TB) (client Store[Tx], silence func() (speak func()))
	// NoRights returns a client that may connect, but has no right to the
	// tables. Nil for databases without rights.
	NoRights func(t testing.TB) Store[Tx]
	// Refuse has the database refuse every change of an event until allow is
	// called, like a constraint that nobody thought of. Nil for databases that
	// refuse nothing.
	Refuse func(t testing.TB) (allow func())
	// NoSchema returns a client of a database without the tables.
	NoSchema func(t testing.TB) Store[Tx]

	// ClockResolution is the precision of times in the store. Default: 1 µs.
	ClockResolution time.Duration

	// OneTransaction says that statements wait while a transaction is open, as
	// on SQLite. Laws about two transactions at once are skipped, and what
	// others see meanwhile is "nothing, or no answer yet".
	OneTransaction bool
}

func (s Subject[Tx]) withDefaults() Subject[Tx] {
	if s.Client == nil {
		s.Client = func(testing.TB) Store[Tx] { return s.Store }
	}
	if s.ClockResolution == 0 {
		s.ClockResolution = time.Microsecond
	}
	if s.Table == "" {
		s.Table = "outbox_event"
	}
	return s
}
