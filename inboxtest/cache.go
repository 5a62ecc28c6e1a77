package inboxtest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/inbox"
)

// OpenCache returns an empty cache and closes it with t.Cleanup.
type OpenCache func(t testing.TB) inbox.Cache

// Hanging is a cache under test whose server can be made to accept requests
// without answering them, until the test ends. For a cache without a server,
// the law about one is skipped.
type Hanging interface{ Hang() }

// CacheLaw is one duty of a cache.
type CacheLaw struct {
	// Name is the duty, as a sentence, and Why says what breaks if it is
	// violated.
	Name, Why string
	// Check tests an empty cache.
	Check func(t testing.TB, c inbox.Cache)
}

// RunCache tests a cache against every law.
func RunCache(t *testing.T, open OpenCache) {
	t.Helper()
	for _, law := range CacheLaws() {
		t.Run(law.Name, func(t *testing.T) {
			t.Cleanup(func() {
				if t.Failed() {
					t.Logf("why it matters: %s", law.Why)
				}
			})
			law.Check(t, open(t))
		})
	}
}

// CacheLaws returns all laws of caches.
func CacheLaws() []CacheLaw {
	return []CacheLaw{
		{"what was added is known, in the caller's order", "a cache that knows nothing saves nothing, and one that mixes up its answers loses events", cacheKnows},
		{"what was not added is not known, whatever looks like it", "an event that was never consumed would be skipped, and lost", cacheKnowsNoMore},
		{"an entry ends with its time", "it would outlive the ledger's own", cacheEnds},
		{"the latest time counts", "an id that was forgotten and consumed again has a new time", cacheRenews},
		{"an entry without time is not added", "no time at all means for ever to some servers", cacheNoTime},
		{"many use it at once", "every worker of a consumer does", cacheAtOnce},
		{"a server that hangs is not waited for longer than the context", "every message would wait for the time-out of a client, which is seconds", cacheHangs},
	}
}

func expectCached(t testing.TB, c inbox.Cache, group string, ids []string, want ...bool) {
	t.Helper()
	if known, err := c.Has(t.Context(), group, ids); err != nil || !slices.Equal(known, want) {
		t.Errorf("group %q, ids %q: known %v, error %v, expected %v", group, ids, known, err, want)
	}
}

func addTo(t testing.TB, c inbox.Cache, group string, ttl time.Duration, ids ...string) {
	t.Helper()
	if err := c.Add(t.Context(), group, ids, ttl); err != nil {
		t.Fatal(err)
	}
}

func cacheKnows(t testing.TB, c inbox.Cache) {
	addTo(t, c, "g", time.Hour, "c", "a")
	addTo(t, c, "g", time.Hour)
	expectCached(t, c, "g", []string{"a", "b", "c", "d"}, true, false, true, false)
	expectCached(t, c, "g", nil)
}

func cacheKnowsNoMore(t testing.TB, c inbox.Cache) {
	addTo(t, c, "a:b", time.Hour, "c")
	addTo(t, c, "g", time.Hour, "a*", "Order", "%3A")
	expectCached(t, c, "a", []string{"b:c", "c", "b"}, false, false, false)
	expectCached(t, c, "a%3Ab", []string{"c"}, false)
	expectCached(t, c, "G", []string{"Order"}, false)
	expectCached(t, c, "g", []string{"order", "a", "ab", "a*", ":"}, false, false, false, true, false)
	expectCached(t, c, "a:b", []string{"c"}, true)
}

func cacheEnds(t testing.TB, c inbox.Cache) {
	const ttl = 200 * time.Millisecond
	addTo(t, c, "g", time.Hour, "long")
	before := time.Now()
	addTo(t, c, "g", ttl, "short")
	expectGone(t, c, "short")
	if lasted := time.Since(before); lasted < ttl/2 {
		t.Errorf("it ended after %s, its time was %s", lasted, ttl)
	}
	expectCached(t, c, "g", []string{"short", "long"}, false, true)
}

// expectGone waits until an id is no longer known.
func expectGone(t testing.TB, c inbox.Cache, id string) {
	t.Helper()
	deadline, tick := time.NewTimer(patience), time.NewTicker(5*time.Millisecond)
	defer deadline.Stop()
	defer tick.Stop()
	for {
		known, err := c.Has(t.Context(), "g", []string{id})
		if err != nil {
			t.Fatal(err)
		}
		if !known[0] {
			return
		}
		select {
		case <-tick.C:
		case <-deadline.C:
			t.Fatalf("it is still there after %s", patience)
		}
	}
}

func cacheRenews(t testing.TB, c inbox.Cache) {
	addTo(t, c, "g", time.Hour, "a")
	addTo(t, c, "g", 50*time.Millisecond, "a", "b")
	addTo(t, c, "g", time.Hour, "b")
	expectGone(t, c, "a")
	expectCached(t, c, "g", []string{"b"}, true)
}

func cacheNoTime(t testing.TB, c inbox.Cache) {
	addTo(t, c, "g", 0, "a")
	addTo(t, c, "g", -time.Hour, "b")
	expectCached(t, c, "g", []string{"a", "b"}, false, false)
	addTo(t, c, "g", time.Nanosecond, "c")
	expectGone(t, c, "c")
}

func cacheAtOnce(t testing.TB, c inbox.Cache) {
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := range 50 {
				ids := []string{fmt.Sprint(w, "-", i), fmt.Sprint("shared-", i)}
				if err := c.Add(t.Context(), "g", ids, time.Hour); err != nil {
					t.Error(err)
				}
				if known, err := c.Has(t.Context(), "g", ids); err != nil || !slices.Equal(known, []bool{true, true}) {
					t.Errorf("known %v, error %v", known, err)
				}
			}
		})
	}
	wg.Wait()
}

// grace is how long after the end of its context a call may return.
const grace = time.Second

// tries is how many calls may be late before the cache is to blame: on a machine
// that stands still any call is late, but not each of several.
var tries = 10

func cacheHangs(t testing.TB, c inbox.Cache) {
	h, ok := c.(Hanging)
	if !ok {
		return
	}
	addTo(t, c, "g", time.Hour, "a")
	h.Hang()
	for what, call := range map[string]func(ctx context.Context) error{
		"Has": func(ctx context.Context) error {
			_, err := c.Has(ctx, "g", []string{"a"})
			return err
		},
		"Add": func(ctx context.Context) error { return c.Add(ctx, "g", []string{"b"}, time.Hour) },
	} {
		inTime := false
		for try := 0; try < tries && !inTime && !t.Failed(); try++ {
			inTime = endsWithItsContext(t, what, call)
		}
		if !inTime {
			t.Errorf("%s has not returned %s after the end of its context", what, grace)
		}
	}
}

// endsWithItsContext reports whether a call of a server that hangs returned soon
// enough.
func endsWithItsContext(t testing.TB, what string, call func(ctx context.Context) error) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	answer := make(chan error, 1)
	go func() { answer <- call(ctx) }()
	late := make(chan struct{})
	context.AfterFunc(ctx, func() { time.AfterFunc(grace, func() { close(late) }) })
	select {
	case err := <-answer:
		if err == nil {
			t.Errorf("%s: no error, and no answer", what)
		}
		return true
	case <-late:
		return false
	}
}
