package pgstore_test

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver under test
	"go.uber.org/goleak"

	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/memstore"
	"github.com/sendoff-go/outbox/store/pgstore"
	"github.com/sendoff-go/outbox/store/sqlstore"
	"github.com/sendoff-go/outbox/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestStoreOnPostgres15(t *testing.T) {
	storetest.Run(t, opener(t, testenv.Postgres15), oracle)
}

func TestStoreOnPostgres18(t *testing.T) {
	storetest.Run(t, opener(t, testenv.Postgres18), oracle)
}

// A pooler in transaction mode gives each transaction another connection. The
// other mode that works with one is pgxstore's to test.
func TestStoreThroughPgBouncer(t *testing.T) {
	storetest.Run(t, opener(t, testenv.PgBouncer, "default_query_exec_mode", "simple_protocol"), oracle)
}

// opener opens subjects on a server, with parameters added to its URL. They
// share a database, in which each has tables of its own.
func opener(t *testing.T, server string, parameters ...string) storetest.Open[*sql.Tx] {
	address := with(t, testenv.Database(t, server), parameters...)
	db, peer := openDB(t, address), openDB(t, address)
	exec(t, db, "CREATE TABLE business (subject text)")
	n := 0
	return func(t testing.TB) storetest.Subject[*sql.Tx] {
		n++
		return subject(t, db, peer, numbered(n))
	}
}

func numbered(n int) sqlstore.Tables {
	suffix := fmt.Sprint(n)
	return sqlstore.Tables{Event: "event" + suffix, DeadLetter: "letter" + suffix, Control: "control" + suffix,
		Instance: "instance" + suffix, Consumed: "consumed" + suffix, Version: "version" + suffix}
}

func subject(t testing.TB, db, peer *sql.DB, tables sqlstore.Tables) storetest.Subject[*sql.Tx] {
	store := newStore(t, db, tables)
	if err := store.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return storetest.Subject[*sql.Tx]{
		Store: store,
		Peer:  newStore(t, peer, tables),
		Table: tables.Event,
		Change: func(ctx context.Context, tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, "INSERT INTO business VALUES ('"+tables.Event+"')")
			return err
		},
		Changes: func(ctx context.Context) (n int, err error) {
			err = db.QueryRowContext(ctx, "SELECT count(*) FROM business WHERE subject = '"+tables.Event+"'").Scan(&n)
			return n, err
		},
		Savepoint: func(ctx context.Context, tx *sql.Tx, name string) error {
			_, err := tx.ExecContext(ctx, `SAVEPOINT "`+name+`"`)
			return err
		},
		RollbackTo: func(ctx context.Context, tx *sql.Tx, name string) error {
			_, err := tx.ExecContext(ctx, `ROLLBACK TO SAVEPOINT "`+name+`"`)
			return err
		},
		Expire: func(ctx context.Context, ids ...string) error {
			_, err := db.ExecContext(ctx, `UPDATE `+tables.Event+` SET locked_until = 'epoch'
				WHERE locked_until IS NOT NULL AND event_id IN ('`+strings.Join(ids, "','")+`')`)
			return err
		},
		Exec: func(ctx context.Context, query string) error {
			_, err := db.ExecContext(ctx, query)
			return err
		},
		Down: func(t testing.TB) storetest.Store[*sql.Tx] {
			return pgstore.New(openDB(t, "postgres://nobody@127.0.0.1:1/none?sslmode=disable"))
		},
		NoSchema: func(t testing.TB) storetest.Store[*sql.Tx] {
			return newStore(t, db, numbered(0))
		},
	}
}

func newStore(t testing.TB, db *sql.DB, tables sqlstore.Tables) *sqlstore.Store {
	t.Helper()
	store, err := pgstore.NewWith(db, sqlstore.Config{Tables: tables})
	if err != nil {
		t.Fatal(err)
	}
	return store
}

func oracle(testing.TB) storetest.Subject[*memstore.Tx] {
	s := memstore.New(memstore.Config{})
	return storetest.Subject[*memstore.Tx]{Store: s, Expire: s.Expire}
}

// with adds parameters, in pairs of name and value, to a URL.
func with(t testing.TB, address string, parameters ...string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	values := u.Query()
	for i := 0; i < len(parameters); i += 2 {
		values.Set(parameters[i], parameters[i+1])
	}
	u.RawQuery = strings.ReplaceAll(values.Encode(), "+", "%20") // pgx reads a plus sign as one
	return u.String()
}

func openDB(t testing.TB, address string) *sql.DB {
	t.Helper()
	db, err := sql.Open("pgx", address)
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
	store := pgstore.New(db)
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
