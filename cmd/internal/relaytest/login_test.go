package relaytest_test

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5/pgxpool"
	_ "github.com/jackc/pgx/v5/stdlib"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/mysqlstore"
	"github.com/sendoff-go/outbox/store/pgstore"
	"github.com/sendoff-go/outbox/store/pgxstore"
)

// lazily are stores that contact their database when they are used.
var lazily = []struct {
	name, server string
	open         func(t *testing.T, u *url.URL) driver.Store
}{
	{"pgx", testenv.Postgres15, func(t *testing.T, u *url.URL) driver.Store {
		pool, err := pgxpool.New(t.Context(), u.String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(pool.Close)
		store := testenv.Must(pgxstore.New(pool, pgxstore.Config{StatementTimeout: time.Minute}))
		t.Cleanup(store.Close)
		return store
	}},
	{"database-sql", testenv.Postgres15, func(t *testing.T, u *url.URL) driver.Store {
		db, err := sql.Open("pgx", u.String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		return testenv.Must(pgstore.New(db, pgstore.Config{StatementTimeout: time.Minute}))
	}},
	{"mysql80", testenv.MySQL80, func(t *testing.T, u *url.URL) driver.Store {
		c := mysql.NewConfig()
		c.Net, c.Addr, c.User, c.DBName, c.Logger = "tcp", u.Host, u.User.Username(), strings.TrimPrefix(u.Path, "/"), &mysql.NopLogger{}
		c.Passwd, _ = u.User.Password()
		connector, err := mysql.NewConnector(c)
		if err != nil {
			t.Fatal(err)
		}
		db := sql.OpenDB(connector)
		t.Cleanup(func() { _ = db.Close() })
		return testenv.Must(mysqlstore.New(db, mysqlstore.Config{StatementTimeout: time.Minute}))
	}},
}

func TestRunGivesUpWhereTheDatabaseRefusesItsLogin(t *testing.T) {
	for what, spoil := range map[string]func(u *url.URL){
		"user":     func(u *url.URL) { u.User = url.UserPassword("nobody_by_that_name", "secret") },
		"password": func(u *url.URL) { u.User = url.UserPassword(u.User.Username(), "wrong") },
		"database": func(u *url.URL) { u.Path = "/no_such_database" },
	} {
		for _, s := range lazily {
			t.Run(s.name+", wrong "+what, func(t *testing.T) {
				u := loginOf(t, s.server)
				spoil(u)
				wantRefused(t, s.open(t, u))
			})
		}
	}
}

// loginOf returns a URL whose password the server checks.
func loginOf(t *testing.T, server string) *url.URL {
	t.Helper()
	if server == testenv.Postgres15 {
		return testenv.PasswordDatabase(t, server)
	}
	u, err := url.Parse(testenv.Database(t, server))
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func wantRefused(t *testing.T, store driver.Store) {
	t.Helper()
	var log strings.Builder
	r, err := relay.New(store, outbox.NewRegistry(), relay.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := r.Run(ctx); !errors.Is(err, outbox.ErrStoreLogin) || ctx.Err() != nil {
		t.Errorf("Run returned %v, want ErrStoreLogin within seconds", err)
	}
	if strings.Count(log.String(), "level=ERROR") != 1 || !strings.Contains(log.String(), "correct user, password or database name") {
		t.Errorf("the log should say once what to do:\n%s", log.String())
	}
}
