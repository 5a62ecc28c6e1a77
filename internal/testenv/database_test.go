package testenv

import (
	"context"
	"database/sql"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	_ "modernc.org/sqlite" // opens what Database returns for SQLite
)

func TestADatabaseIsEmptyAndGoneAfterTheTest(t *testing.T) {
	for _, name := range []string{Postgres15, Postgres18, PgBouncer, MySQL80, MySQL9, MariaDB} {
		t.Run(name, func(t *testing.T) {
			URL(t, name)
			var used string
			t.Run("the test", func(t *testing.T) {
				used = Database(t, name)
				other := Database(t, name)
				run(t, used, "CREATE TABLE thing (id int)")
				run(t, other, "CREATE TABLE thing (id int)")
			})
			if err := attempt(t.Context(), direct(used, name), "SELECT 1"); err == nil || !strings.Contains(err.Error(), databaseOf(used)) {
				t.Errorf("connecting to the dropped database: %v, want an error that names it", err)
			}
		})
	}
}

func TestSQLiteNeedsNoServer(t *testing.T) {
	db, err := sql.Open("sqlite", Database(t, SQLite))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), "CREATE TABLE thing (id int)"); err != nil {
		t.Error(err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}

func TestMySQLDSNKeepsEveryPart(t *testing.T) {
	for in, want := range map[string]string{
		"mysql://root@127.0.0.1:3306/":                          "root@tcp(127.0.0.1:3306)/",
		"mysql://me:p%40ss@host:1/shop?parseTime=true":          "me:p@ss@tcp(host:1)/shop?parseTime=true",
		"mysql://root@127.0.0.1:3306/ob_1?clientFoundRows=true": "root@tcp(127.0.0.1:3306)/ob_1?clientFoundRows=true",
	} {
		if got := MySQLDSN(t, in); got != want {
			t.Errorf("MySQLDSN(%q) = %q, want %q", in, got, want)
		}
	}
}

// run executes a statement and fails the test if it fails.
func run(t *testing.T, address, statement string) {
	t.Helper()
	if err := attempt(t.Context(), address, statement); err != nil {
		t.Fatalf("%s on %s: %v", statement, address, err)
	}
}

func attempt(ctx context.Context, address, statement string) error {
	if strings.HasPrefix(address, "mysql:") {
		return mysqlServer{address}.execute(ctx, statement)
	}
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return err
	}
	config.DefaultQueryExecMode = pgx.QueryExecModeExec
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, statement)
	if closeErr := conn.Close(ctx); err == nil {
		err = closeErr
	}
	return err
}

// direct returns the URL of the database without PgBouncer, which tells a missing
// database by closing the connection.
func direct(address, name string) string {
	if name != PgBouncer {
		return address
	}
	u, err := url.Parse(os.Getenv(variable(Postgres15)))
	if err != nil {
		panic(err)
	}
	u.Path = "/" + databaseOf(address)
	return u.String()
}

func databaseOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		panic(err)
	}
	return strings.TrimPrefix(u.Path, "/")
}
