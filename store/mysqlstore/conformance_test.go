package mysqlstore_test

import (
	"context"
	"database/sql"
	"net/url"
	"strings"
	"testing"

	_ "github.com/go-sql-driver/mysql" // the driver under test
	"go.uber.org/goleak"

	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/memstore"
	"github.com/sendoff-go/outbox/store/mysqlstore"
	"github.com/sendoff-go/outbox/store/sqlstore"
	"github.com/sendoff-go/outbox/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestStoreOnMySQL80(t *testing.T) { storetest.Run(t, opener(testenv.MySQL80), oracle) }

func TestStoreOnMySQL9(t *testing.T) { storetest.Run(t, opener(testenv.MySQL9), oracle) }

func TestStoreOnMariaDB(t *testing.T) { storetest.Run(t, opener(testenv.MariaDB), oracle) }

// servers are those that a test of this package runs on.
var servers = []string{testenv.MySQL80, testenv.MySQL9, testenv.MariaDB}

// onEach runs a test on every server.
func onEach(t *testing.T, test func(t *testing.T, server string)) {
	t.Helper()
	for _, server := range servers {
		t.Run(server, func(t *testing.T) { test(t, server) })
	}
}

// opener opens subjects on a server, with parameters added to the driver's.
func opener(server string, parameters ...string) storetest.Open[*sql.Tx] {
	return func(t testing.TB) storetest.Subject[*sql.Tx] {
		address := with(t, testenv.Database(t, server), parameters...)
		db := openDB(t, address)
		store := migrated(t, db)
		exec(t, db, "CREATE TABLE business (n INT) ENGINE = InnoDB")
		return storetest.Subject[*sql.Tx]{
			Store: store,
			Peer:  mysqlstore.New(openDB(t, address)),
			Change: func(ctx context.Context, tx *sql.Tx) error {
				_, err := tx.ExecContext(ctx, "INSERT INTO business VALUES (1)")
				return err
			},
			Changes: func(ctx context.Context) (n int, err error) {
				err = db.QueryRowContext(ctx, "SELECT COUNT(*) FROM business").Scan(&n)
				return n, err
			},
			Savepoint: func(ctx context.Context, tx *sql.Tx, name string) error {
				_, err := tx.ExecContext(ctx, "SAVEPOINT `"+name+"`")
				return err
			},
			RollbackTo: func(ctx context.Context, tx *sql.Tx, name string) error {
				_, err := tx.ExecContext(ctx, "ROLLBACK TO SAVEPOINT `"+name+"`")
				return err
			},
			Expire: func(ctx context.Context, ids ...string) error {
				_, err := db.ExecContext(ctx, `UPDATE outbox_event SET locked_until = '1970-01-01'
					WHERE locked_until IS NOT NULL AND event_id IN ('`+strings.Join(ids, "','")+`')`)
				return err
			},
			Exec: func(ctx context.Context, query string) error {
				_, err := db.ExecContext(ctx, query)
				return err
			},
			Down: func(t testing.TB) storetest.Store[*sql.Tx] {
				return mysqlstore.New(openDB(t, "mysql://nobody@127.0.0.1:1/none"))
			},
			NoSchema: func(t testing.TB) storetest.Store[*sql.Tx] {
				return mysqlstore.New(openDB(t, with(t, testenv.Database(t, server), parameters...)))
			},
		}
	}
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
	u.RawQuery = values.Encode()
	return u.String()
}

func openDB(t testing.TB, address string) *sql.DB {
	t.Helper()
	db, err := sql.Open("mysql", testenv.MySQLDSN(t, address))
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
	store := mysqlstore.New(db)
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
