package rediscache_test

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"
	_ "modernc.org/sqlite" // the driver of the ledger

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/inbox"
	"github.com/sendoff-go/outbox/inbox/rediscache"
	"github.com/sendoff-go/outbox/inboxtest"
	"github.com/sendoff-go/outbox/internal/faultproxy"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/store/sqlitestore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestCacheKeepsTheLaws(t *testing.T) {
	inboxtest.RunCache(t, func(t testing.TB) inbox.Cache {
		u, err := url.Parse(testenv.URL(t, testenv.Redis))
		if err != nil {
			t.Fatal(err)
		}
		proxy := faultproxy.New(t, u.Host)
		u.Host = proxy.Addr()
		return hanging{newCache(t, dial(t, u.String()), outbox.NewID()), proxy}
	})
}

func newCache(t testing.TB, client *redis.Client, database string) *rediscache.Cache {
	t.Helper()
	cache, err := rediscache.New(client, rediscache.Config{Database: database})
	if err != nil {
		t.Fatal(err)
	}
	return cache
}

// hanging is a cache whose server can hang.
type hanging struct {
	*rediscache.Cache
	*faultproxy.Proxy
}

const patience = 2 * time.Minute

func dial(t testing.TB, address string) *redis.Client {
	t.Helper()
	options, err := redis.ParseURL(address)
	if err != nil {
		t.Fatal(err)
	}
	// The client gives up later than a busy machine stands still.
	options.DialTimeout, options.ReadTimeout, options.WriteTimeout, options.PoolTimeout = patience, patience, patience, patience
	client := redis.NewClient(options)
	t.Cleanup(func() {
		if err := client.Close(); err != nil {
			t.Error(err)
		}
	})
	return client
}

func TestKeysNameTheDatabaseAndExpire(t *testing.T) {
	client := dial(t, testenv.URL(t, testenv.Redis))
	id := outbox.NewID()
	if err := newCache(t, client, "shop:"+id).Add(t.Context(), "bill:ing", []string{"a:b"}, time.Hour); err != nil {
		t.Fatal(err)
	}
	want := "outbox:consumed:shop%3A" + id + ":bill%3Aing:a:b"
	if ttl, err := client.PTTL(t.Context(), want).Result(); err != nil || ttl <= 59*time.Minute || ttl > time.Hour {
		t.Errorf("%s lasts %s, error %v: expected an hour", want, ttl, err)
	}
}

func TestTwoDatabasesOnOneRedisAreIndependent(t *testing.T) {
	client := dial(t, testenv.URL(t, testenv.Redis))
	id := outbox.NewID()
	add := func(database, group, id string) {
		if err := newCache(t, client, database).Add(t.Context(), group, []string{id}, time.Hour); err != nil {
			t.Fatal(err)
		}
	}
	add("shop", "billing", id)
	add("shop:billing", id, "x")
	for _, other := range []struct{ database, group, id string }{
		{"stock", "billing", id}, {"Shop", "billing", id}, {"shop", "billing", id + ":x"},
	} {
		known, err := newCache(t, client, other.database).Has(t.Context(), other.group, []string{other.id})
		if err != nil || known[0] {
			t.Errorf("%+v: known %v, error %v", other, known, err)
		}
	}
}

func TestACacheWithoutADatabaseIsRefused(t *testing.T) {
	if _, err := rediscache.New(nil, rediscache.Config{}); err == nil {
		t.Error("two services would share their entries")
	}
}

// The server goes down and comes back, and no event is lost or duplicated.
func TestACacheThatIsDownCostsNoCorrectness(t *testing.T) {
	server := testenv.Control(t, testenv.Redis)
	client := dial(t, testenv.URL(t, testenv.Redis))
	db, err := sqlitestore.Open("sqlite", testenv.Database(t, testenv.SQLite))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	store := testenv.Must(sqlitestore.New(db, sqlitestore.Config{StatementTimeout: patience, SweepTimeout: patience}))
	if err := store.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	var misses int
	consumer, err := inbox.New(store, inbox.Config{
		Group: "billing", Cache: newCache(t, client, outbox.NewID()),
		Hooks: observe.Hooks{CacheMiss: func(info observe.ConsumeInfo) { misses += info.N }},
	})
	if err != nil {
		t.Fatal(err)
	}
	runs := map[string]int{}
	consume := func(id string, end error) {
		t.Helper()
		err := consumer.Consume(t.Context(), outbox.Received{EventID: id}, func(context.Context, *sql.Tx) error {
			runs[id]++
			return end
		})
		if !errors.Is(err, end) {
			t.Fatalf("%s: error %v", id, err)
		}
	}
	consume("before", nil)
	server.Crash()
	errHandler := errors.New("no")
	for range 2 {
		consume("before", nil)
		consume("meanwhile", errHandler)
	}
	consume("meanwhile", nil)
	server.Start()
	for range 2 {
		consume("before", nil)
		consume("meanwhile", nil)
	}
	if runs["before"] != 1 || runs["meanwhile"] != 3 || misses < 6 {
		t.Errorf("runs %v, %d misses", runs, misses)
	}
}
