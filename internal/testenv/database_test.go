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

func TestADatabaseIsEmptyWhateverTheTestBeforeLeft(t *testing.T) {
	for _, name := range []string{Postgres15, Postgres18, PgBouncer, MySQL80, MySQL9, MariaDB} {
		t.Run(name, func(t *testing.T) {
			URL(t, name)
			for range 2 {
				t.Run("the test", func(t *testing.T) {
					used, other := Database(t, name), Database(t, name)
					run(t, used, "CREATE TABLE thing (id int)")
					run(t, other, "CREATE TABLE thing (id int)")
				})
			}
		})
	}
}

func TestASpareDatabaseIsAsTheTemplateIs(t *testing.T) {
	for _, name := range []string{Postgres15, Postgres18} {
		t.Run(name, func(t *testing.T) {
			if URL(t, name); os.Getenv(variable(name)+"_CTL") == "" {
				miss(t, "%s was not started by scripts/with-servers and is left without databases: unset %s", name, variable(name))
			}
			var first string
			var open *pgx.Conn
			t.Run("the test before", func(t *testing.T) {
				first = Database(t, name)
				for _, statement := range []string{
					"CREATE SCHEMA law",
					"CREATE TABLE law.thing (id int)",
					"CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
					"ALTER DATABASE " + databaseOf(first) + " SET default_transaction_read_only = on",
				} {
					run(t, first, statement)
				}
				var err error
				if open, err = pgx.Connect(t.Context(), first); err != nil {
					t.Fatal(err)
				}
			})
			if err := open.Ping(t.Context()); err == nil {
				t.Error("a connection of the test before is still open")
			}
			if err := open.Close(t.Context()); err != nil {
				t.Log(err) // it was cut off
			}
			again := Database(t, name)
			if again != first {
				t.Fatalf("database %s, expected %s again", again, first)
			}
			run(t, again, "CREATE SCHEMA law")
			run(t, again, "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'")
			run(t, again, "CREATE PUBLICATION left_over")
			if spare.keep(name, makerFor(os.Getenv(variable(name))), databaseOf(again)) {
				t.Error("a database with a publication was kept")
			}
		})
	}
}

// Nobody else throws away what is on a server that the user has.
func TestADatabaseOnAServerOfTheUserIsGoneAfterTheTest(t *testing.T) {
	for _, name := range []string{Postgres15, Postgres18, MySQL80, MySQL9, MariaDB} {
		t.Run(name, func(t *testing.T) {
			URL(t, name)
			t.Setenv(variable(name)+"_CTL", "")
			for spare.take(name) != "" {
				t.Log("a database of a test before is left to the server")
			}
			var used string
			t.Run("the test", func(t *testing.T) { used = Database(t, name) })
			if err := attempt(t.Context(), used, "SELECT 1"); err == nil || !strings.Contains(err.Error(), databaseOf(used)) {
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

func databaseOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		panic(err)
	}
	return strings.TrimPrefix(u.Path, "/")
}
