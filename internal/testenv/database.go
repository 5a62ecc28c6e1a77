package testenv

import (
	"context"
	"crypto/rand"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Database returns the URL of an empty database on a server, which is the test's
// own until it ends; on PostgreSQL whoever is connected to it after that is cut off.
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
	server, admin := name, address
	if name == PgBouncer {
		server, admin = Postgres15, URL(t, Postgres15)
	}
	m := makerFor(admin)
	// PgBouncer remembers connections by the name of the database.
	again := name != PgBouncer
	var database string
	if again {
		database = spare.take(server)
	}
	if database == "" {
		database = "ob_" + strings.ToLower(rand.Text()[:10])
		if err := limited(t.Context(), m.create, database); err != nil {
			t.Fatalf("cannot create a database on %s: %v", server, err)
		}
	}
	t.Cleanup(func() {
		if again && spare.keep(server, m, database) {
			return
		}
		if err := drop(server, m, database); err != nil {
			t.Errorf("cannot drop database %s on %s: %v", database, server, err)
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

// drop removes a database. A test that has control of the server may have left it
// stopped, so a second attempt starts it first.
func drop(server string, m maker, database string) error {
	err := limited(context.Background(), m.drop, database)
	if err == nil || command(server, "start") != nil {
		return err
	}
	return limited(context.Background(), m.drop, database)
}

func limited(ctx context.Context, do func(context.Context, string) error, database string) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
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
