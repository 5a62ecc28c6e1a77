package ottercache_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/inbox"
	"github.com/sendoff-go/outbox/inbox/ottercache"
	"github.com/sendoff-go/outbox/inboxtest"
	"github.com/sendoff-go/outbox/store/memstore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestCacheKeepsTheLaws(t *testing.T) {
	inboxtest.RunCache(t, func(t testing.TB) inbox.Cache { return open(t, ottercache.Config{}) })
}

func open(t testing.TB, c ottercache.Config) *ottercache.Cache {
	t.Helper()
	cache, err := ottercache.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cache.Close)
	return cache
}

func TestTheCacheIsBounded(t *testing.T) {
	const bound, added = 100, 10_000
	cache := open(t, ottercache.Config{MaxEntries: bound})
	ids := make([]string, added)
	for i := range ids {
		ids[i] = fmt.Sprint(i)
	}
	deadline := time.Now().Add(2 * time.Minute)
	for n := added; n > 2*bound; {
		if time.Now().After(deadline) {
			t.Fatalf("%d of %d ids are still cached, expected about %d", n, added, bound)
		}
		if err := cache.Add(t.Context(), "g", ids, time.Hour); err != nil {
			t.Fatal(err)
		}
		known, err := cache.Has(t.Context(), "g", ids)
		if err != nil {
			t.Fatal(err)
		}
		n = 0
		for _, k := range known {
			if k {
				n++
			}
		}
	}
}

func TestANegativeBoundIsRefused(t *testing.T) {
	if _, err := ottercache.New(ottercache.Config{MaxEntries: -1}); err == nil {
		t.Error("no error")
	}
}

func TestAnEntryExpiresToTheNanosecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache, err := ottercache.New(ottercache.Config{})
		if err != nil {
			t.Fatal(err)
		}
		defer cache.Close()
		has := func() bool {
			known, err := cache.Has(t.Context(), "g", []string{"a"})
			if err != nil {
				t.Fatal(err)
			}
			return known[0]
		}
		if err := cache.Add(t.Context(), "g", []string{"a"}, time.Hour); err != nil {
			t.Fatal(err)
		}
		<-time.After(time.Hour - time.Nanosecond)
		if !has() {
			t.Error("expired too early")
		}
		<-time.After(time.Nanosecond)
		if has() {
			t.Error("not expired in time")
		}
	})
}

func Example() {
	cache, err := ottercache.New(ottercache.Config{MaxEntries: 10_000})
	if err != nil {
		panic(err)
	}
	defer cache.Close()
	ledger := memstore.New(memstore.Config{})
	consumer, err := inbox.New(ledger, inbox.Config{Group: "billing", Cache: cache})
	if err != nil {
		panic(err)
	}
	for range 2 {
		err := consumer.Consume(context.Background(), outbox.Received{EventID: "01J"}, func(_ context.Context, tx *memstore.Tx) error {
			fmt.Println("once")
			return tx.Put("invoice", "written")
		})
		if err != nil {
			panic(err)
		}
	}
	// Output: once
}
