package pgxstore_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/pgxstore"
)

func TestABusinessThatTookEveryConnectionDoesNotStopTheRelay(t *testing.T) {
	address := testenv.Database(t, testenv.Postgres15)
	pool := openPool(t, address, "", func(c *pgxpool.Config) { c.MaxConns = 1 })
	store := openStore(t, pool, pgxstore.Config{})
	migrate(t, store)
	write(t, store, event("a"))
	conn, err := pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	owner := driver.NewOwner("a")
	c := claim(t, store, owner, 1)[0]
	if lost, err := store.Renew(t.Context(), owner, long, []driver.Renewal{{Held: c.Held}}); err != nil || len(lost) > 0 {
		t.Errorf("lost %v, error %v", lost, err)
	}
	if stale, err := store.Settle(t.Context(), owner, []driver.Outcome{{Held: c.Held, Kind: driver.Done}}, true); err != nil || len(stale) > 0 {
		t.Errorf("stale %v, error %v", stale, err)
	}
}

func TestPeopleDoNotTakeTheRelaysConnections(t *testing.T) {
	address := testenv.Database(t, testenv.Postgres15)
	pool := openPool(t, address, "")
	relay := openPool(t, address, "", func(c *pgxpool.Config) { c.MaxConns = 1 })
	store := openStore(t, pool, pgxstore.Config{Relay: relay, StatementTimeout: 100 * time.Millisecond}) // of the claim alone
	migrate(t, store)
	conn, err := relay.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	if _, err := store.Stats(t.Context()); err != nil {
		t.Errorf("stats: %v", err)
	}
	if _, _, err := store.ListDead(t.Context(), driver.DeadFilter{}, nil, 10); err != nil {
		t.Errorf("list: %v", err)
	}
	if _, err := claimFor(t.Context(), store, driver.NewOwner("a"), long); !errors.Is(err, outbox.ErrStoreDown) {
		t.Errorf("error %v, expected ErrStoreDown: the relay's only connection is taken", err)
	}
}

func TestOnlyTheRelayOpensASecondPool(t *testing.T) {
	address := testenv.Database(t, testenv.Postgres15)
	pool := openPool(t, address, "", func(c *pgxpool.Config) { c.MinConns = 2 })
	store := openStore(t, pool, pgxstore.Config{RelayConns: 2})
	migrate(t, store)
	write(t, store, event("a"))
	others := func() int {
		return queryInt(t, pool, "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'") -
			int(pool.Stat().TotalConns())
	}
	eventually(t, "the writer has only its own connections", func() bool { return others() == 0 })
	claim(t, store, driver.NewOwner("a"), 1)
	eventually(t, "the relay has one", func() bool { return others() == 1 })
	store.Close()
	store.Close()
	eventually(t, "it is closed", func() bool { return others() == 0 })
	if _, err := claimFor(t.Context(), store, driver.NewOwner("a"), long); !errors.Is(err, outbox.ErrStoreDown) {
		t.Errorf("error %v after Close, expected ErrStoreDown", err)
	}
	if _, err := store.Stats(context.Background()); err != nil {
		t.Errorf("the caller's pool is the caller's to close: %v", err)
	}
}
