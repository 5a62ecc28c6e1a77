package mysqlstore_test

import (
	"database/sql"
	"net/url"
	"testing"

	_ "github.com/go-sql-driver/mysql" // the driver under test

	"github.com/sendoff-go/outbox/internal/dialecttest"
	"github.com/sendoff-go/outbox/internal/faultproxy"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/mysqlstore"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

func TestMain(m *testing.M) { dialecttest.Main(m) }

func TestStoreOnMySQL80(t *testing.T) { testLaws(t, testenv.MySQL80) }

func TestStoreOnMySQL9(t *testing.T) { testLaws(t, testenv.MySQL9) }

func TestStoreOnMariaDB(t *testing.T) { testLaws(t, testenv.MariaDB) }

// servers are those that a test of this package runs on.
var servers = []string{testenv.MySQL80, testenv.MySQL9, testenv.MariaDB}

// onEach runs a test on every server.
func onEach(t *testing.T, test func(t *testing.T, server string)) {
	t.Helper()
	for _, server := range servers {
		t.Run(server, func(t *testing.T) { test(t, server) })
	}
}

// testLaws tests stores on a server, with parameters added to the driver's.
func testLaws(t *testing.T, server string, parameters ...string) {
	t.Helper()
	dialecttest.RunLaws(t, dialecttest.Laws{
		Dialect: mysqlstore.Dialect(),
		Fresh: func(t testing.TB) func() *sql.DB {
			address := with(t, testenv.Database(t, server), parameters...)
			return func() *sql.DB { return openDB(t, address) }
		},
		Down:    func(t testing.TB) *sql.DB { return openDB(t, "mysql://nobody@127.0.0.1:1/none") },
		Trouble: trouble(server, parameters...),
		Past:    "'1970-01-01'",
	})
}

// trouble is what can keep a server from doing what it is told.
func trouble(server string, parameters ...string) dialecttest.Trouble {
	fresh := func(t testing.TB) string { return with(t, testenv.Database(t, server), parameters...) }
	trouble := dialecttest.Trouble{
		Distant: func(t testing.TB) (*sql.DB, *faultproxy.Proxy) {
			proxy, address := faultproxy.ByURL(t, fresh(t))
			return openDB(t, address), proxy
		},
		NoRights: func(t testing.TB) (all, none *sql.DB) {
			address := fresh(t)
			db := openDB(t, address)
			user, own := newUser(t, address, db)
			exec(t, db, "CREATE TABLE others (n INTEGER)")
			exec(t, db, "GRANT SELECT ON others TO "+user) // without any right, it could not connect
			return db, openDB(t, own)
		},
		LockTable: "LOCK TABLES outbox_event WRITE", UnlockTable: "UNLOCK TABLES",
	}
	for _, change := range []string{"INSERT", "UPDATE", "DELETE"} {
		trouble.Refuse = append(trouble.Refuse, "CREATE TRIGGER refuse_"+change+" BEFORE "+change+" ON outbox_event FOR EACH ROW "+
			"SIGNAL SQLSTATE '23000' SET MYSQL_ERRNO = 3819, MESSAGE_TEXT = 'refused'") // as a CHECK constraint does
		trouble.Allow = append(trouble.Allow, "DROP TRIGGER refuse_"+change)
	}
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
	store := testenv.Must(mysqlstore.New(db, dialecttest.Unhurried()))
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
