package ottercache

import (
	"context"
	"fmt"
	"time"

	"github.com/maypok86/otter/v2"

	"github.com/sendoff-go/outbox/inbox"
)

// Config has a useful zero value.
type Config struct {
	// MaxEntries bounds the ids in memory, of all groups together; those that are
	// looked up least are evicted first. An entry takes about 150 bytes. Default
	// 100,000.
	MaxEntries int
}

// Cache is an [inbox.Cache] in memory. It is safe for concurrent use, including
// by several consumers, as long as they share one database: its keys name the
// group but not the database. Close it after them.
type Cache struct {
	entries *otter.Cache[key, lifetime]
}

var _ inbox.Cache = (*Cache)(nil)

type key struct{ group, id string }

// lifetime is when an entry expires, by either clock: the monotonic one, which
// the library uses, stops while the machine is suspended.
type lifetime struct {
	ttl   time.Duration
	until int64 // by the wall clock
}

// New makes an empty cache. It fails only on a negative bound.
func New(c Config) (*Cache, error) {
	if c.MaxEntries < 0 {
		return nil, fmt.Errorf("ottercache: MaxEntries is %d: it must be positive", c.MaxEntries)
	}
	if c.MaxEntries == 0 {
		c.MaxEntries = 100_000
	}
	entries, err := otter.New(&otter.Options[key, lifetime]{
		MaximumSize:      c.MaxEntries,
		ExpiryCalculator: otter.ExpiryWritingFunc(func(e otter.Entry[key, lifetime]) time.Duration { return e.Value.ttl }),
	})
	if err != nil {
		return nil, fmt.Errorf("ottercache: %w", err)
	}
	return &Cache{entries}, nil
}

// Close ends the clean-up of the cache. Consumers may go on: entries still
// expire. It may be called more than once.
func (c *Cache) Close() { c.entries.StopAllGoroutines() }

// Has implements [inbox.Cache].
func (c *Cache) Has(_ context.Context, group string, ids []string) ([]bool, error) {
	now, known := time.Now().UnixNano(), make([]bool, len(ids))
	for i, id := range ids {
		l, found := c.entries.GetIfPresent(key{group, id})
		known[i] = found && now < l.until
	}
	return known, nil
}

// Add implements [inbox.Cache].
func (c *Cache) Add(_ context.Context, group string, ids []string, ttl time.Duration) error {
	if ttl <= 0 {
		return nil
	}
	l := lifetime{ttl, time.Now().Add(ttl).UnixNano()}
	for _, id := range ids {
		c.entries.Set(key{group, id}, l)
	}
	return nil
}
