package tidbstore_test

import (
	"database/sql"
	"testing"

	_ "github.com/go-sql-driver/mysql" // the driver under test

	"github.com/sendoff-go/outbox/internal/dialecttest"
	"github.com/sendoff-go/outbox/internal/faultproxy"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/tidbstore"
)

func TestMain(m *testing.M) { dialecttest.Main(m) }

func TestStoreOnTiDB(t *testing.T) { testLaws(t, "") }

// The connections are the application's, with its own settings. The laws hold
// under those that change what a driver sends, counts and returns.
func TestStoreWithOtherSettings(t *testing.T) {
	testLaws(t, "?interpolateParams=true&clientFoundRows=true&multiStatements=true&parseTime=true&loc=Asia%2FKolkata"+
		"&time_zone=%27-07%3A00%27&sql_mode=%27ANSI,NO_BACKSLASH_ESCAPES,STRICT_ALL_TABLES%27")
}

// testLaws tests stores with parameters of the driver.
func testLaws(t *testing.T, parameters string) {
	t.Helper()
	dialecttest.RunLaws(t, dialecttest.Laws{
		Dialect: tidbstore.Dialect(),
		Fresh: func(t testing.TB) func() *sql.DB {
			address := testenv.Database(t, testenv.TiDB) + parameters
			return func() *sql.DB { return openDB(t, address) }
		},
		Down: func(t testing.TB) *sql.DB { return openDB(t, "mysql://nobody@127.0.0.1:1/none") },
		// The server has no triggers, and locks no tables.
		Trouble: dialecttest.Trouble{
			Distant: func(t testing.TB) (*sql.DB, *faultproxy.Proxy) {
				proxy, address := faultproxy.ByURL(t, testenv.Database(t, testenv.TiDB)+parameters)
				return openDB(t, address), proxy
			},
		},
		Past: "'1970-01-01'",
	})
}

// fresh makes an empty database and returns a function that opens a pool on it.
func fresh(t testing.TB) func() *sql.DB {
	address := testenv.Database(t, testenv.TiDB)
	return func() *sql.DB { return openDB(t, address) }
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
