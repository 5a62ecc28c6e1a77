package rediscache_test

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"
	_ "modernc.org/sqlite" // the driver of the ledger

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/inbox"
	"github.com/sendoff-go/outbox/inbox/rediscache"
	"github.com/sendoff-go/outbox/inboxtest"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/sqlitestore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestCacheKeepsTheLaws(t *testing.T) {
	inboxtest.RunCache(t, func(t testing.TB) inbox.Cache {
		return rediscache.New(dial(t, testenv.URL(t, testenv.Redis)), rediscache.Config{Name: "test:" + outbox.NewID()})
	})
}

func dial(t testing.TB, address string) *redis.Client {
	t.Helper()
	options, err := redis.ParseURL(address)
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(options)
	t.Cleanup(func() {
		if err := client.Close(); err != nil {
			t.Error(err)
		}
	})
	return client
}

func TestKeysBeginWithTheNameAndEndInTime(t *testing.T) {
	client := dial(t, testenv.URL(t, testenv.Redis))
	name := "shop:" + outbox.NewID()
	cache := rediscache.New(client, rediscache.Config{Name: name})
	if err := cache.Add(t.Context(), "bill:ing", []string{"a:b"}, time.Hour); err != nil {
		t.Fatal(err)
	}
	keys, err := client.Keys(t.Context(), name+"*").Result()
	if err != nil || len(keys) != 1 || keys[0] != name+":bill%3Aing:a:b" {
		t.Fatalf("keys %q, error %v", keys, err)
	}
	if ttl, err := client.PTTL(t.Context(), keys[0]).Result(); err != nil || ttl <= 59*time.Minute || ttl > time.Hour {
		t.Errorf("it lasts %s, error %v: expected an hour", ttl, err)
	}
}

func TestTheNameHasADefault(t *testing.T) {
	client := dial(t, testenv.URL(t, testenv.Redis))
	id := outbox.NewID()
	if err := rediscache.New(client, rediscache.Config{}).Add(t.Context(), "billing", []string{id}, time.Minute); err != nil {
		t.Fatal(err)
	}
	if n, err := client.Exists(t.Context(), "outbox:consumed:billing:"+id).Result(); err != nil || n != 1 {
		t.Errorf("found %d, error %v", n, err)
	}
}

// The server goes away and comes back, and no event is lost or doubled.
func TestACacheThatIsDownCostsNoCorrectness(t *testing.T) {
	server := testenv.Control(t, testenv.Redis)
	client := dial(t, testenv.URL(t, testenv.Redis))
	db, err := sqlitestore.Open("sqlite", testenv.Database(t, testenv.SQLite))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	store := sqlitestore.New(db)
	if err := store.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	var misses int
	consumer, err := inbox.New(store, inbox.Config{
		Group: "billing", Cache: rediscache.New(client, rediscache.Config{Name: outbox.NewID()}),
		Hooks: outbox.Hooks{CacheMiss: func(info outbox.ConsumeInfo) { misses += info.N }},
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
