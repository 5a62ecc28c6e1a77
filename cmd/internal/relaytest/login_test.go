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

	"github.com/jackc/pgx/v5/pgxpool"
	_ "github.com/jackc/pgx/v5/stdlib"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/pgstore"
	"github.com/sendoff-go/outbox/store/pgxstore"
)

func TestRunGivesUpWhereTheDatabaseRefusesItsLogin(t *testing.T) {
	wrong := map[string]func(u *url.URL){
		"user":     func(u *url.URL) { u.User = url.UserPassword("nobody_by_that_name", "secret") },
		"database": func(u *url.URL) { u.Path = "/no_such_database" },
	}
	stores := map[string]func(t *testing.T, address string) driver.Store{
		"pgx": func(t *testing.T, address string) driver.Store {
			pool, err := pgxpool.New(t.Context(), address)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(pool.Close)
			store := pgxstore.New(pool)
			t.Cleanup(store.Close)
			return store
		},
		"database-sql": func(t *testing.T, address string) driver.Store {
			db, err := sql.Open("pgx", address)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = db.Close() })
			return pgstore.New(db)
		},
	}
	for what, spoil := range wrong {
		for name, open := range stores {
			t.Run(name+", wrong "+what, func(t *testing.T) {
				u, err := url.Parse(testenv.Database(t, "postgres15"))
				if err != nil {
					t.Fatal(err)
				}
				spoil(u)
				var log strings.Builder
				r, err := relay.New(open(t, u.String()), outbox.NewRegistry(), relay.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))})
				if err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				if err := r.Run(ctx); !errors.Is(err, outbox.ErrStoreLogin) || ctx.Err() != nil {
					t.Errorf("Run returned %v, want ErrStoreLogin at once", err)
				}
				if n := strings.Count(log.String(), "level=ERROR"); n != 1 || !strings.Contains(log.String(), "correct user, password or database name") {
					t.Errorf("the log should say once what to do:\n%s", log.String())
				}
			})
		}
	}
}
