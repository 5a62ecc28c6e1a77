package pgxstore_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/dialecttest"
	"github.com/sendoff-go/outbox/internal/faultproxy"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/pgstore"
	"github.com/sendoff-go/outbox/store/pgxstore"
	"github.com/sendoff-go/outbox/storetest"
)

// addTrouble gives a subject what keeps a server from doing what it is told. Pool
// is one on its database.
func addTrouble(s *storetest.Subject[pgx.Tx], pool *pgxpool.Pool, address, mode string, config pgxstore.Config) {
	hasty, limits := config, dialecttest.Hasty()
	hasty.StatementTimeout, hasty.SweepTimeout = limits.StatementTimeout, limits.SweepTimeout
	table := s.Table
	s.LockTable = func(t testing.TB) func() {
		tx, err := pool.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		end := sync.OnceFunc(func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }) // where it fails, the connection ends
		t.Cleanup(end)
		if _, err := tx.Exec(t.Context(), "LOCK TABLE "+table); err != nil {
			t.Fatal(err)
		}
		return end
	}
	s.Hasty = func(t testing.TB) storetest.Store[pgx.Tx] { return openStore(t, pool, hasty) }
	s.Silent = func(t testing.TB) (storetest.Store[pgx.Tx], func() func()) {
		server := address
		if mode == "exec" { // through a pooler
			server = testenv.OwnPooler(t, address)
		}
		proxy, address := faultproxy.ByURL(t, server)
		own := pgxstore.Config{
			Tables:           pgstore.Tables{Schema: "silent_" + strings.ToLower(outbox.NewID())},
			StatementTimeout: hasty.StatementTimeout, SweepTimeout: hasty.SweepTimeout,
		}
		exec(t, pool, "CREATE SCHEMA "+own.Tables.Schema)
		store := openStore(t, openPool(t, address, mode), own)
		migrate(t, store)
		return store, func() func() {
			proxy.Hang()
			return proxy.Pass
		}
	}
	s.NoRights = func(t testing.TB) storetest.Store[pgx.Tx] { // not through a pooler, which has one user for all
		address := testenv.Database(t, testenv.Postgres15)
		all := openPool(t, address, mode)
		migrate(t, openStore(t, all, pgxstore.Config{}))
		role := "stranger_" + strings.ToLower(outbox.NewID())
		exec(t, all, "CREATE ROLE "+role+" LOGIN")
		t.Cleanup(func() {
			if _, err := all.Exec(context.WithoutCancel(t.Context()), "DROP ROLE "+role); err != nil {
				t.Error(err)
			}
		})
		stranger := func(c *pgxpool.Config) { c.ConnConfig.User = role }
		return openStore(t, openPool(t, address, mode, stranger), pgxstore.Config{})
	}
	refuse, allow := dialecttest.PostgresRefusals(table)
	s.Refuse = func(t testing.TB) func() {
		undo := sync.OnceFunc(func() {
			for _, statement := range allow {
				if _, err := pool.Exec(context.WithoutCancel(t.Context()), statement); err != nil {
					t.Error(err)
				}
			}
		})
		t.Cleanup(undo) // others use the table too
		for _, statement := range refuse {
			exec(t, pool, statement)
		}
		return undo
	}
}
