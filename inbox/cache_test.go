package inbox_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/inbox"
	"github.com/sendoff-go/outbox/store/memstore"
)

func TestTheCacheIsFilledAfterTheCommitAlone(t *testing.T) {
	cache := newFakeCache()
	r := newRig(t, inbox.Config{Cache: cache})
	r.consume(t, errHandler, "a", "b")
	func() {
		defer func() { _ = recover() }()
		_ = r.Consume(t.Context(), received("a")[0], func(context.Context, *memstore.Tx) error { panic("no") })
	}()
	if keys := cache.keys(); len(keys) > 0 {
		t.Fatalf("after a rollback the cache knows %v", keys)
	}
	err := r.ConsumeBatch(t.Context(), received("a", "b"), func(context.Context, *memstore.Tx, []outbox.Received) error {
		if keys := cache.keys(); len(keys) > 0 {
			t.Errorf("before the commit the cache knows %v", keys)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if keys := cache.keys(); !slices.Equal(keys, []string{"billing/a", "billing/b"}) {
		t.Errorf("after the commit the cache knows %v", keys)
	}
	r.told.expect(t, map[string]int{"miss": 5, "failed": 3, "consumed": 2})
	r.consume(t, nil, "a", "b", "c")
	r.told.expect(t, map[string]int{"hit": 2, "miss": 1, "duplicated": 2, "consumed": 1})
}

func TestAHitAsksTheDatabaseNothing(t *testing.T) {
	r := newRig(t, inbox.Config{Cache: newFakeCache()})
	r.consume(t, nil, "a", "b")
	r.store.Close()
	if ran := r.consume(t, nil, "b", "a"); len(ran) > 0 {
		t.Errorf("the handler got %v", ran)
	}
	r.consume(t, outbox.ErrStoreDown, "b", "c")
}

// An entry counts from before its transaction began: its row may be forgotten
// that much earlier than the commit would suggest.
func TestAnEntryNeverOutlivesItsRow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := newFakeCache()
		r := newRig(t, inbox.Config{Cache: cache, Retention: time.Hour, CacheTTL: 50 * time.Minute})
		for _, tt := range []struct {
			id    string
			takes time.Duration
		}{{"quick", 0}, {"slow", 40 * time.Minute}, {"too slow", 50 * time.Minute}} {
			id := strings.ReplaceAll(tt.id, " ", "-")
			start := time.Now()
			if err := r.Consume(t.Context(), received(id)[0], func(context.Context, *memstore.Tx) error {
				<-time.After(tt.takes)
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			ends, found := cache.entries["billing/"+id]
			if found != (tt.takes < 50*time.Minute) || found && ends.After(start.Add(50*time.Minute)) {
				t.Errorf("%s: in the cache %t, until %s after its begin", id, found, ends.Sub(start))
			}
		}
	})
}

func TestACacheThatIsDownCostsNoCorrectness(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, breakDown := range map[string]func(c *fakeCache){
			"it refuses": func(c *fakeCache) { c.breakDown(errors.New("refused"), false) },
			"it hangs":   func(c *fakeCache) { c.breakDown(nil, true) },
		} {
			cache := newFakeCache()
			r := newRig(t, inbox.Config{Cache: cache})
			r.consume(t, nil, "before")
			breakDown(cache)
			r.told.expect(t, map[string]int{"consumed": 1, "miss": 1})
			start, calls := time.Now(), cache.calls
			for range 10 {
				if ran := r.consume(t, nil, "before"); len(ran) > 0 {
					t.Errorf("%s: it had its effect twice", name)
				}
			}
			r.consume(t, nil, "meanwhile")
			if took, asked := time.Since(start), cache.calls-calls; took > 250*time.Millisecond || asked != 1 {
				t.Errorf("%s: 11 deliveries took %s and asked it %d times, expected one time-out", name, took, asked)
			}
			r.told.expect(t, map[string]int{"duplicated": 10, "consumed": 1, "miss": 11})
			if lines := r.log.take(); len(lines) != 1 || !strings.Contains(lines[0], "WARN inbox: the cache does not answer") {
				t.Errorf("%s: logged %q", name, lines)
			}
			cache.breakDown(nil, false)
			<-time.After(time.Second)
			r.consume(t, nil, "before", "meanwhile", "after")
			r.told.expect(t, map[string]int{"hit": 1, "miss": 2, "duplicated": 2, "consumed": 1})
			if lines := r.log.take(); len(lines) != 1 || !strings.Contains(lines[0], "answers again") {
				t.Errorf("%s: logged %q", name, lines)
			}
		}
	})
}

// liar answers for fewer ids than it was asked about.
type liar struct{ *fakeCache }

func (liar) Has(context.Context, string, []string) ([]bool, error) { return []bool{true}, nil }

func TestAnAnswerOfTheWrongLengthIsNotBelieved(t *testing.T) {
	r := newRig(t, inbox.Config{Cache: liar{newFakeCache()}})
	if ran := r.consume(t, nil, "a", "b"); len(ran) != 2 {
		t.Errorf("the handler got %v", ran)
	}
}

// The caller's own deadline is no fault of the cache.
func TestACancelledCallerDoesNotBlameTheCache(t *testing.T) {
	cache := newFakeCache()
	cache.breakDown(nil, true)
	r := newRig(t, inbox.Config{Cache: cache})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.Consume(ctx, received("a")[0], nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, expected the context's", err)
	}
	if lines := r.log.take(); len(lines) > 0 {
		t.Errorf("logged %q", lines)
	}
}
