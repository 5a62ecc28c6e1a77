package locktest

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/await"
	"github.com/sendoff-go/outbox/internal/dialecttest"
	"github.com/sendoff-go/outbox/store/sqlstore"
	"github.com/sendoff-go/outbox/storetest"
)

// Locks is contained in the names of all laws about locked rows.
const Locks = "another session has locked"

// few is the number of laws about locked rows, and ofTables of those about locked
// tables.
const (
	few      = 13
	ofTables = 2
)

// others are laws that limits of a role could break, covering each method of a
// store.
var others = []string{
	"claims come back in order of lane, time and seq",
	"an outcome sent twice is applied once",
	"a renewal reports lost claims, and changes none of them",
	"a row can be taken by name once, despite its head start",
	"confirm knows what was committed and what was not",
	"concurrent claimers, writers and a sweeper deliver each event once",
}

// AboutLimits reports whether limits of a role could break a law.
func AboutLimits(law string) bool {
	return strings.Contains(law, Locks) || slices.Contains(others, law)
}

// Laws says how the stores of a dialect are opened.
type Laws struct {
	Dialect sqlstore.Dialect
	// Relay opens a pool on the database, which is empty at first, for the
	// relay's calls. Others opens one without limits, for the application and
	// for sessions that lock rows.
	Relay, Others func() *sql.DB
	// LockEvents keeps other sessions from changing an event until UnlockTable,
	// and LockLetters from changing a dead letter. Default: no session can.
	LockEvents, LockLetters, UnlockTable string
}

// Run tests stores against the laws about locked rows and, with limits, against
// the others that limits could break.
func Run(t *testing.T, l Laws, limits bool) {
	t.Helper()
	db := l.Others()
	Migrate(t, l.Dialect, db)
	config := dialecttest.Unhurried()
	config.Relay = l.Relay()
	store, err := sqlstore.New(db, l.Dialect, config)
	if err != nil {
		t.Fatal(err)
	}
	subject := storetest.Subject[*sql.Tx]{
		Store:    store,
		LockRow:  func(t testing.TB, id string) func() { return LockRow(t, db, id) },
		LockKept: func(t testing.TB, p storetest.Power, id string) func() { return hold(t, db, KeptRow("", p, id)) },
		Exec: func(ctx context.Context, query string) error {
			_, err := db.ExecContext(ctx, query)
			return err
		},
	}
	wantLocks := few
	if l.LockEvents != "" {
		wantLocks += ofTables
		subject.LockTable = func(t testing.TB) func() { return dialecttest.HoldTable(t, db, l.LockEvents, l.UnlockTable) }
		hasty := dialecttest.Hasty()
		hasty.Relay = config.Relay
		subject.Hasty = func(t testing.TB) storetest.Store[*sql.Tx] {
			store, err := sqlstore.New(db, l.Dialect, hasty)
			if err != nil {
				t.Fatal(err)
			}
			return store
		}
	}
	checked := 0
	for _, law := range storetest.Laws[*sql.Tx]() {
		if !strings.Contains(law.Name, Locks) && !(limits && AboutLimits(law.Name)) || law.Applies != nil && !law.Applies(subject) {
			continue
		}
		checked++
		t.Run(law.Name, func(t *testing.T) {
			Check(t, limits, law, func(t testing.TB) storetest.Subject[*sql.Tx] {
				empty(t, db)
				return subject
			})
		})
	}
	if l.LockLetters != "" {
		t.Run("an outcome that waits for a locked table takes too long, and others do not", func(t *testing.T) { l.waitsForTable(t, store) })
	}
	want := wantLocks
	if limits {
		want += len(others)
	}
	if checked != want {
		t.Errorf("checked %d laws, expected %d", checked, want)
	}
}

// Answered repeats a call of a limited role until the database is available, for
// the reason that [Check] has, and fails the test on any other error.
func Answered(t testing.TB, what string, call func() error) {
	t.Helper()
	await.Until(t, what+" is answered", func() bool {
		err := call()
		if errors.Is(err, outbox.ErrStoreDown) {
			t.Log(err)
			return false
		}
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		return true
	})
}

// Swept repeats a sweep of a limited role until it has removed a row, or the
// database says that none is left. After a call without an answer the server may
// still be at the first sweep, which a second one does not disturb.
func Swept(t testing.TB, sweep func() (int, error), left func() int) {
	t.Helper()
	await.Until(t, "the row is swept", func() bool {
		var n int
		Answered(t, "sweep", func() (err error) { n, err = sweep(); return err })
		return n == 1 || left() == 0
	})
}

// Migrate creates the tables, which limits could prevent.
func Migrate(t testing.TB, d sqlstore.Dialect, db *sql.DB) {
	t.Helper()
	store, err := sqlstore.New(db, d, sqlstore.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// LockRow changes the row of an event, whose id must need no quoting, in a
// transaction that stays open until release rolls it back.
func LockRow(t testing.TB, db *sql.DB, id string) (release func()) {
	t.Helper()
	return hold(t, db, "UPDATE outbox_event SET tenant_id = 'held' WHERE event_id = '"+id+"'")
}

// KeptRow is a statement that changes what a store keeps for a power, for
// [storetest.Subject.LockKept]. The tables have their default names after that
// prefix; the id must need no quoting.
func KeptRow(prefix string, p storetest.Power, id string) string {
	row := map[storetest.Power]struct{ table, key string }{
		storetest.DeadLetters: {"dlq_event", "event_id"},
		storetest.Groups:      {"dlq_group", "group_id"},
		storetest.Alerts:      {"alert", "alert_id"},
		storetest.Jobs:        {"job", "job_id"},
		storetest.Audit:       {"audit", "audit_id"},
	}[p]
	return "UPDATE " + prefix + "outbox_" + row.table + " SET note = 'held' WHERE " + row.key + " = '" + id + "'"
}

// hold sends a statement that changes one row, in a transaction that stays open until
// release rolls it back.
func hold(t testing.TB, db *sql.DB, change string) (release func()) {
	t.Helper()
	tx, err := db.BeginTx(context.WithoutCancel(t.Context()), nil)
	if err != nil {
		t.Fatal(err)
	}
	end := sync.OnceFunc(func() { _ = tx.Rollback() }) // if it fails, the connection ends
	t.Cleanup(end)
	result, err := tx.ExecContext(t.Context(), change)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := result.RowsAffected(); err != nil || n != 1 {
		t.Fatalf("locked %d rows, error %v: expected one", n, err)
	}
	return end
}
