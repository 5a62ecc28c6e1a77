package inboxtest

import (
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// Open returns a fresh, empty, migrated ledger and closes it with t.Cleanup.
type Open[Tx any] func(t testing.TB) Subject[Tx]

// Subject is one ledger under test and what else the suite needs. A nil
// function skips the laws that need it; Ledger, Effect and Effects are
// required.
type Subject[Tx any] struct {
	Ledger driver.Ledger[Tx]
	// Peer is a second, independent client of the same database. Default:
	// Ledger itself.
	Peer driver.Ledger[Tx]

	// Effect makes a change in tx for that group and event, and Effects counts
	// the committed ones of a group by event.
	Effect  func(ctx context.Context, tx Tx, group, id string) error
	Effects func(ctx context.Context, group string) (map[string]int, error)

	// Savepoint and RollbackTo are those of the database.
	Savepoint  func(ctx context.Context, tx Tx, name string) error
	RollbackTo func(ctx context.Context, tx Tx, name string) error

	// Age makes the entries of those ids older, as if that much time had
	// passed.
	Age func(ctx context.Context, group string, by time.Duration, ids ...string) error

	// Waiting reports whether a transaction of the database waits for another one. Nil:
	// the laws give it a moment for that, and the driver must end a call that has not
	// reached the database yet, too.
	Waiting func(ctx context.Context) (bool, error)

	// Down returns a client whose database does not answer.
	Down func(t testing.TB) driver.Ledger[Tx]
	// NoSchema returns a client of a database without the table.
	NoSchema func(t testing.TB) driver.Ledger[Tx]

	// Snapshot says that a transaction sees the state at its beginning, as
	// under REPEATABLE READ: then an id that was committed since is a conflict.
	Snapshot bool

	// OneTransaction says that others wait while a transaction is open, as on
	// SQLite. Laws about two transactions at once are skipped.
	OneTransaction bool
}

func (s Subject[Tx]) withDefaults() Subject[Tx] {
	if s.Peer == nil {
		s.Peer = s.Ledger
	}
	return s
}
