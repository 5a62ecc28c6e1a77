package pgstore_test

import (
	"database/sql"
	"net/url"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver under test

	"github.com/sendoff-go/outbox/internal/dialecttest"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/pgstore"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

func TestMain(m *testing.M) { dialecttest.Main(m) }

func TestStoreOnPostgres15(t *testing.T) { testLaws(t, testenv.Postgres15) }

func TestStoreOnPostgres18(t *testing.T) { testLaws(t, testenv.Postgres18) }

// A pooler in transaction mode gives each transaction another connection. The
// other query mode that works with a pooler is tested in pgxstore.
func TestStoreThroughPgBouncer(t *testing.T) {
	testLaws(t, testenv.PgBouncer, "default_query_exec_mode", "simple_protocol")
}

// testLaws tests stores on a server, with parameters added to its URL.
func testLaws(t *testing.T, server string, parameters ...string) {
	t.Helper()
	dialecttest.RunLaws(t, dialecttest.Laws{
		Dialect: pgstore.Dialect(),
		Fresh: func(t testing.TB) func() *sql.DB {
			address := with(t, testenv.Database(t, server), parameters...)
			return func() *sql.DB { return openDB(t, address) }
		},
		Down:    func(t testing.TB) *sql.DB { return openDB(t, "postgres://nobody@127.0.0.1:1/none?sslmode=disable") },
		Trouble: trouble(server, parameters...),
		Past:    "'epoch'",
	})
}

func trouble(server string, parameters ...string) dialecttest.Trouble {
	fresh := func(t testing.TB) string { return with(t, testenv.Database(t, server), parameters...) }
	if server != testenv.PgBouncer {
		return dialecttest.PostgresTrouble(fresh, openDB)
	}
	trouble := dialecttest.PostgresTrouble(func(t testing.TB) string { return testenv.OwnPooler(t, fresh(t)) }, openDB)
	trouble.NoRights = nil // it has one user for all
	return trouble
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
	store := testenv.Must(pgstore.New(db, dialecttest.Unhurried()))
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
