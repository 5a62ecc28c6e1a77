package testenv

import (
	"context"
	"crypto/rand"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Database returns the URL of an empty database on a server, which belongs to
// the test until it ends; on PostgreSQL, connections that are open after that
// are closed.
//
// A postgres:// URL can be passed to pgx as it is, a mysql:// URL goes through
// [MySQLDSN], and for [SQLite] it is the file: URI of a file that does not exist
// yet. PgBouncer keeps no prepared statements from one transaction to the next:
// with pgx, add default_query_exec_mode=exec to its URL.
func Database(t testing.TB, name string) string {
	t.Helper()
	if name == SQLite {
		return "file:" + filepath.ToSlash(filepath.Join(t.TempDir(), "outbox.db"))
	}
	address := URL(t, name)
	admin := address
	if name == PgBouncer {
		admin = URL(t, Postgres15)
	}
	script := os.Getenv(variable(name) + "_CTL") // the server may belong to the test
	m := makerFor(admin)
	// PgBouncer remembers connections by the name of the database.
	again := name != PgBouncer
	var database string
	if again {
		database = spare.take(admin)
	}
	if database == "" {
		database = "ob_" + strings.ToLower(rand.Text()[:10])
		if err := limited(t.Context(), m.create, database); err != nil {
			t.Fatalf("cannot create a database on %s: %v", name, err)
		}
	}
	t.Cleanup(func() {
		if script == "" || !again || !spare.keep(admin, m, database) {
			drop(t, script, m, database)
		}
	})
	return withDatabase(t, address, database)
}

// maker creates and drops databases on one server.
type maker interface {
	create(ctx context.Context, database string) error
	drop(ctx context.Context, database string) error
}

func makerFor(address string) maker {
	if strings.HasPrefix(address, "mysql:") {
		return mysqlServer{address}
	}
	return postgresServer{address}
}

// drop removes a database, unless its server belongs to the test and is stopped.
func drop(t testing.TB, script string, m maker, database string) {
	t.Helper()
	err := limited(context.Background(), m.drop, database)
	if err == nil {
		return
	}
	if script != "" {
		if _, dead := control(script, "pid"); dead != nil {
			return
		}
	}
	t.Errorf("cannot drop database %s: %v", database, err)
}

func limited(ctx context.Context, do func(context.Context, string) error, database string) error {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	return do(ctx, database)
}

func withDatabase(t testing.TB, address, database string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + database
	return u.String()
}
