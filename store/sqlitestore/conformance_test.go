package sqlitestore_test

import (
	"database/sql"
	"testing"
	"time"

	_ "modernc.org/sqlite" // the driver under test

	"github.com/sendoff-go/outbox/internal/dialecttest"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/sqlitestore"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

func TestMain(m *testing.M) { dialecttest.Main(m) }

func TestStore(t *testing.T) {
	dialecttest.RunLaws(t, dialecttest.Laws{
		Dialect: sqlitestore.Dialect(),
		Fresh: func(t testing.TB) func() *sql.DB {
			path := testenv.Database(t, testenv.SQLite)
			return func() *sql.DB { return openDB(t, path) }
		},
		Down:            func(t testing.TB) *sql.DB { return openDB(t, t.TempDir()+"/missing/outbox.db") },
		Trouble:         dialecttest.SQLiteTrouble(),
		Past:            "1",
		ClockResolution: time.Millisecond,
		OneTransaction:  true,
	})
}

func openDB(t testing.TB, path string) *sql.DB {
	t.Helper()
	db, err := sqlitestore.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// patient makes the one connection of a pool wait for those of others for as long
// as a busy machine or its disk may need. It returns the pool.
func patient(t testing.TB, db *sql.DB) *sql.DB {
	t.Helper()
	exec(t, db, "PRAGMA busy_timeout = 300000")
	return db
}

func migrated(t testing.TB, db *sql.DB) *sqlstore.Store {
	t.Helper()
	store := testenv.Must(sqlitestore.New(db, dialecttest.Unhurried()))
	if err := store.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return store
}

func exec(t testing.TB, db *sql.DB, query string, args ...any) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), query, args...); err != nil {
		t.Fatal(err)
	}
}
