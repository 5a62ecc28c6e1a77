package inboxtest

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/inbox"
	"github.com/sendoff-go/outbox/internal/complaints"
)

// mapCache is a cache as plain as it can be, and its defects.
type mapCache struct {
	mu      sync.Mutex
	entries map[string]time.Time

	key     func(group, id string) string
	ttl     func(ttl time.Duration) time.Duration
	forget  bool
	answers func(known []bool) []bool
	keep    bool // the first time of an entry
	deaf    bool // to the end of a context

	hangs chan struct{} // closed by Hang
	quit  chan struct{} // closed at the end of the test
}

// Hang implements Hanging.
func (c *mapCache) Hang() { close(c.hangs) }

// await waits for a server that hangs.
func (c *mapCache) await(ctx context.Context) error {
	select {
	case <-c.hangs:
	default:
		return nil
	}
	if c.deaf {
		ctx = context.WithoutCancel(ctx)
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-c.quit:
		return context.Canceled
	}
}

func (c *mapCache) Has(ctx context.Context, group string, ids []string) ([]bool, error) {
	if err := c.await(ctx); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	known := make([]bool, len(ids))
	for i, id := range ids {
		known[i] = time.Now().Before(c.entries[c.key(group, id)])
	}
	return c.answers(known), nil
}

func (c *mapCache) Add(ctx context.Context, group string, ids []string, ttl time.Duration) error {
	if err := c.await(ctx); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, id := range ids {
		if _, there := c.entries[c.key(group, id)]; !c.forget && (!c.keep || !there) {
			c.entries[c.key(group, id)] = time.Now().Add(c.ttl(ttl))
		}
	}
	return nil
}

func newMapCache(t testing.TB) *mapCache {
	quit := make(chan struct{})
	t.Cleanup(func() { close(quit) })
	return &mapCache{
		hangs: make(chan struct{}), quit: quit,
		entries: map[string]time.Time{},
		key:     func(group, id string) string { return group + "\x00" + id },
		ttl:     func(ttl time.Duration) time.Duration { return ttl },
		answers: func(known []bool) []bool { return known },
	}
}

func TestAHealthyCacheBreaksNoLaw(t *testing.T) {
	for _, law := range CacheLaws() {
		if v := complaints.Of(t, func(t testing.TB) { law.Check(t, newMapCache(t)) }); len(v) > 0 {
			t.Errorf("%s: %s", law.Name, strings.Join(v, "; "))
		}
	}
}

func TestTheSuiteFindsDefectsOfCaches(t *testing.T) {
	hurry(t)
	for _, d := range []struct {
		name, law string
		make      func(c *mapCache)
	}{
		{"it knows nothing", "what was added is known, in the caller's order", func(c *mapCache) { c.forget = true }},
		{"it mixes up its answers", "what was added is known, in the caller's order", func(c *mapCache) {
			c.answers = func(known []bool) []bool {
				if len(known) == 0 {
					return known
				}
				return append(known[1:], known[0])
			}
		}},
		{"its keys run together", "what was not added is not known, whatever looks like it", func(c *mapCache) {
			c.key = func(group, id string) string { return group + ":" + id }
		}},
		{"its keys are without case", "what was not added is not known, whatever looks like it", func(c *mapCache) {
			c.key = func(group, id string) string { return strings.ToLower(group + "\x00" + id) }
		}},
		{"its entries never end", "an entry ends with its time", func(c *mapCache) {
			c.ttl = func(time.Duration) time.Duration { return time.Hour }
		}},
		{"it keeps the first time", "the latest time counts", func(c *mapCache) { c.keep = true }},
		{"no time is for ever", "an entry without time is not added", func(c *mapCache) {
			c.ttl = func(ttl time.Duration) time.Duration {
				if ttl <= 0 {
					return time.Hour
				}
				return ttl
			}
		}},
		{"it waits for the client's own time", "a server that hangs is not waited for longer than the context", func(c *mapCache) { c.deaf = true }},
		{"it forgets under load", "many use it at once", func(c *mapCache) {
			c.answers = func(known []bool) []bool {
				if len(c.entries) > 100 {
					known[0] = false
				}
				return known
			}
		}},
	} {
		t.Run(d.name, func(t *testing.T) {
			for _, law := range CacheLaws() {
				if law.Name != d.law {
					continue
				}
				cache := newMapCache(t)
				d.make(cache)
				if v := complaints.Of(t, func(t testing.TB) { law.Check(t, cache) }); len(v) == 0 {
					t.Fatalf("%q did not notice", law.Name)
				}
				return
			}
			t.Fatalf("there is no law %q", d.law)
		})
	}
}

var _ inbox.Cache = (*mapCache)(nil)
