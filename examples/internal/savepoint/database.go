package savepoint

import (
	"database/sql"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	_ "modernc.org/sqlite"             // the driver "sqlite"

	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/pgstore"
	"github.com/sendoff-go/outbox/store/sqlitestore"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// Open makes a subject of a database and its store.
type Open func(t *testing.T, db *sql.DB, store *sqlstore.Store) Subject

// OnSQLite runs every scenario on SQLite.
func OnSQLite(t *testing.T, open Open) {
	db, err := sqlitestore.Open("sqlite", testenv.Database(t, testenv.SQLite))
	if err != nil {
		t.Fatal(err)
	}
	on(t, db, testenv.Must(sqlitestore.New(db, sqlitestore.Config{StatementTimeout: time.Minute})), open)
}

// OnPostgres runs every scenario on PostgreSQL. Without a server it skips the
// test, or fails it where make test requires one.
func OnPostgres(t *testing.T, open Open) {
	db, err := sql.Open("pgx", testenv.Database(t, testenv.Postgres15))
	if err != nil {
		t.Fatal(err)
	}
	on(t, db, testenv.Must(pgstore.New(db, pgstore.Config{StatementTimeout: time.Minute})), open)
}

// on runs the scenarios one after the other on one database, which is emptied
// before each: that takes much less time than a new one.
func on(t *testing.T, db *sql.DB, store *sqlstore.Store, open Open) {
	t.Helper()
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := store.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	subject := open(t, db, store)
	Run(t, func(t *testing.T) Subject {
		if _, err := db.ExecContext(t.Context(), "DELETE FROM outbox_event"); err != nil {
			t.Fatal(err)
		}
		return subject
	})
}
