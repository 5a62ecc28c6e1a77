package pgxstore_test

import (
	"cmp"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sendoff-go/outbox/internal/dialecttest"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/pgxstore"
)

var modes = map[string]pgx.QueryExecMode{
	"":                pgx.QueryExecModeCacheStatement,
	"cache_statement": pgx.QueryExecModeCacheStatement,
	"cache_describe":  pgx.QueryExecModeCacheDescribe,
	"exec":            pgx.QueryExecModeExec,
	"simple_protocol": pgx.QueryExecModeSimpleProtocol,
}

// openPool gives a pool whose default mode of execution is that one ("": pgx's
// own), changed by the functions.
func openPool(t testing.TB, address, mode string, change ...func(*pgxpool.Config)) *pgxpool.Pool {
	t.Helper()
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		t.Fatal(err)
	}
	config.ConnConfig.DefaultQueryExecMode = modes[mode]
	for _, f := range change {
		f(config)
	}
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// openStore gives a store whose calls have all the time that a busy machine may
// need, unless the configuration has a limit that a call must run into.
func openStore(t testing.TB, pool *pgxpool.Pool, config pgxstore.Config) *pgxstore.Store {
	t.Helper()
	unhurried := dialecttest.Unhurried()
	config.StatementTimeout = cmp.Or(config.StatementTimeout, unhurried.StatementTimeout)
	config.SweepTimeout = cmp.Or(config.SweepTimeout, unhurried.SweepTimeout)
	store, err := pgxstore.New(pool, config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(store.Close)
	return store
}

func migrate(t testing.TB, store *pgxstore.Store) {
	t.Helper()
	if err := store.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// open gives a migrated store with default tables, in a database of its own on
// PostgreSQL 15.
func open(t testing.TB) (*pgxstore.Store, *pgxpool.Pool) {
	t.Helper()
	pool := openPool(t, testenv.Database(t, testenv.Postgres15), "")
	store := openStore(t, pool, pgxstore.Config{})
	migrate(t, store)
	return store, pool
}

func exec(t testing.TB, pool *pgxpool.Pool, query string, args ...any) {
	t.Helper()
	if _, err := pool.Exec(t.Context(), query, args...); err != nil {
		t.Fatal(err)
	}
}
