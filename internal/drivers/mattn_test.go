//go:build cgo

package drivers_test

import (
	"database/sql"
	"testing"
	"time"

	_ "github.com/mattn/go-sqlite3" // the driver under test
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/inboxtest"
	"github.com/sendoff-go/outbox/internal/dialecttest"
	"github.com/sendoff-go/outbox/internal/ledgertest"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/sqlitestore"
)

func openMattn(t testing.TB, path string) *sql.DB {
	t.Helper()
	db, err := sqlitestore.Open("sqlite3", path)
	return closed(t, db, err)
}

func freshMattn(t testing.TB) func() *sql.DB {
	t.Helper()
	path := testenv.Database(t, testenv.SQLite)
	return func() *sql.DB { return openMattn(t, path) }
}

func downMattn(t testing.TB) *sql.DB {
	t.Helper()
	return openMattn(t, t.TempDir()+"/missing/outbox.db")
}

func TestStoreWithMattn(t *testing.T) {
	dialecttest.RunLaws(t, dialecttest.Laws{
		Dialect:         sqlitestore.Dialect(),
		Fresh:           freshMattn,
		Down:            downMattn,
		Trouble:         dialecttest.SQLiteTrouble(),
		Past:            "1",
		ClockResolution: time.Millisecond,
		OneTransaction:  true,
	})
}

func TestDialectWithMattn(t *testing.T) {
	dialecttest.Run(t, dialecttest.Subject{
		Dialect: sqlitestore.Dialect(), Fresh: freshMattn, Adoptions: dialecttest.SQLiteAdoptions(),
		Unkept: dialecttest.SQLiteUnkept(), Kept: dialecttest.SQLiteKept(), OwnTriggers: dialecttest.SQLiteTriggers(), IndexesShareNames: true,
	})
}

func TestLedgerWithMattn(t *testing.T) {
	db := freshMattn(t)()
	store := testenv.Must(sqlitestore.New(db, dialecttest.Unhurried()))
	if err := store.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	subject := ledgertest.SQL(t, db, store, store, "consumed_at - %d / 1000")
	inboxtest.Run(t, func(t testing.TB) inboxtest.Subject[*sql.Tx] {
		s := subject(t)
		s.OneTransaction = true
		s.Down = func(t testing.TB) driver.Ledger[*sql.Tx] {
			return testenv.Must(sqlitestore.New(downMattn(t), dialecttest.Unhurried()))
		}
		s.NoSchema = func(t testing.TB) driver.Ledger[*sql.Tx] {
			db := freshMattn(t)()
			if _, err := db.ExecContext(t.Context(), "CREATE TABLE outbox_control (n INTEGER)"); err != nil { // what a transaction begins with
				t.Fatal(err)
			}
			return testenv.Must(sqlitestore.New(db, dialecttest.Unhurried()))
		}
		return s
	}, ledgertest.Memory)
}

func TestOpenSetsWhatAnOutboxWantsWithMattn(t *testing.T) {
	db := freshMattn(t)()
	for pragma, want := range map[string]string{
		"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "busy_timeout": "10000",
	} {
		var got string
		if err := db.QueryRowContext(t.Context(), "PRAGMA "+pragma).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %q, error %v; expected %q", pragma, got, err, want)
		}
	}
}
