package sqlitestore_test

import (
	"context"
	"database/sql"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	_ "modernc.org/sqlite" // the driver under test

	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/memstore"
	"github.com/sendoff-go/outbox/store/sqlitestore"
	"github.com/sendoff-go/outbox/store/sqlstore"
	"github.com/sendoff-go/outbox/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestStore(t *testing.T) { storetest.Run(t, open, oracle) }

func open(t testing.TB) storetest.Subject[*sql.Tx] {
	db := openDB(t, testenv.Database(t, testenv.SQLite))
	migrated(t, db)
	// Under the race detector the driver is some thirty times slower.
	store, err := sqlitestore.NewWith(db, sqlstore.Config{StatementTimeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	exec(t, db, "CREATE TABLE business (n INTEGER)")
	return storetest.Subject[*sql.Tx]{
		Store: store,
		Peer:  store, // on the one connection that there is to write
		Change: func(ctx context.Context, tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, "INSERT INTO business VALUES (1)")
			return err
		},
		Changes: func(ctx context.Context) (n int, err error) {
			err = db.QueryRowContext(ctx, "SELECT count(*) FROM business").Scan(&n)
			return n, err
		},
		Savepoint: func(ctx context.Context, tx *sql.Tx, name string) error {
			_, err := tx.ExecContext(ctx, "SAVEPOINT "+name)
			return err
		},
		RollbackTo: func(ctx context.Context, tx *sql.Tx, name string) error {
			_, err := tx.ExecContext(ctx, "ROLLBACK TO "+name)
			return err
		},
		Expire: func(ctx context.Context, ids ...string) error {
			_, err := db.ExecContext(ctx, `UPDATE outbox_event SET locked_until = 1
				WHERE locked_until IS NOT NULL AND event_id IN ('`+strings.Join(ids, "','")+`')`)
			return err
		},
		Exec: func(ctx context.Context, query string) error {
			_, err := db.ExecContext(ctx, query)
			return err
		},
		Down: func(t testing.TB) storetest.Store[*sql.Tx] {
			db := openDB(t, t.TempDir()+"/missing/outbox.db")
			return sqlitestore.New(db)
		},
		NoSchema: func(t testing.TB) storetest.Store[*sql.Tx] {
			return sqlitestore.New(openDB(t, testenv.Database(t, testenv.SQLite)))
		},
		ClockResolution: time.Millisecond,
		OneTransaction:  true,
	}
}

func oracle(testing.TB) storetest.Subject[*memstore.Tx] {
	s := memstore.New(memstore.Config{})
	return storetest.Subject[*memstore.Tx]{Store: s, Expire: s.Expire}
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

func migrated(t testing.TB, db *sql.DB) *sqlstore.Store {
	t.Helper()
	store := sqlitestore.New(db)
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
