package inbox

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/sendoff-go/outbox/observe"
)

// Cache remembers which events groups have had, so that duplicates do not reach
// the database. It may forget anything at any time, but must never report an id
// that was not added. It is for the groups of one database: a group of the same
// name elsewhere has had other events. Its methods return when their context
// ends. A cache is whatever passes RunCache of package inboxtest. It must be
// safe for concurrent use.
type Cache interface {
	// Has reports for each id whether it was added for the group and has not
	// expired.
	Has(ctx context.Context, group string, ids []string) ([]bool, error)
	// Add remembers ids for the group, for no longer than ttl.
	Add(ctx context.Context, group string, ids []string, ttl time.Duration) error
}

// coolDown is how long a cache that failed is not called, so that not every
// message waits for its timeout.
const coolDown = time.Second

// guard keeps a cache from costing more than speed.
type guard struct {
	cache  Cache
	config Config

	mu     sync.Mutex
	failed time.Time // zero: it works
}

// has returns nil if nothing is known.
func (g *guard) has(ctx context.Context, ids []string) []bool {
	start := time.Now()
	var known []bool
	err := g.call(ctx, func(ctx context.Context) (err error) {
		known, err = g.cache.Has(ctx, g.config.Group, ids)
		if err == nil && len(known) != len(ids) {
			err = fmt.Errorf("the cache answered for %d of %d ids", len(known), len(ids))
		}
		return err
	})
	if err != nil {
		known = nil
	}
	hits := 0
	for _, hit := range known {
		if hit {
			hits++
		}
	}
	g.tell(g.config.Hooks.CacheHit, hits, start, nil)
	g.tell(g.config.Hooks.CacheMiss, len(ids)-hits, start, err)
	return known
}

func (g *guard) tell(hook func(observe.ConsumeInfo), n int, since time.Time, err error) {
	if hook != nil && n > 0 {
		hook(observe.ConsumeInfo{Group: g.config.Group, N: n, Took: time.Since(since), Err: err})
	}
}

var errCoolDown = fmt.Errorf("inbox: the cache failed less than %s ago", coolDown)

// call calls the cache, within its timeout, unless it failed a moment ago.
func (g *guard) call(ctx context.Context, ask func(ctx context.Context) error) error {
	g.mu.Lock()
	cooling := !g.failed.IsZero() && time.Since(g.failed) < coolDown
	g.mu.Unlock()
	if cooling {
		return errCoolDown
	}
	limited, cancel := context.WithTimeout(ctx, g.config.CacheTimeout)
	defer cancel()
	err := ask(limited)
	if ctx.Err() != nil {
		return err // the end of the caller's context says nothing about the cache
	}
	g.mu.Lock()
	changed := g.failed.IsZero() == (err != nil)
	g.failed = time.Time{}
	if err != nil {
		g.failed = time.Now()
	}
	g.mu.Unlock()
	switch {
	case changed && err != nil:
		g.config.Logger.Warn("inbox: the cache does not answer; every event is looked up in the database", "group", g.config.Group, "error", err)
	case changed:
		g.config.Logger.Info("inbox: the cache answers again", "group", g.config.Group)
	}
	return err
}

// fill adds what was committed. The TTL of an entry counts from before its
// transaction began, so that it expires before its row does.
func (c *Consumer[Tx]) fill(ctx context.Context, ids []string, since time.Time) {
	ttl := c.config.CacheTTL - elapsed(since)
	if c.cache == nil || len(ids) == 0 || ttl <= 0 {
		return
	}
	// The commit is done, so the end of the caller's context does not matter.
	_ = c.cache.call(context.WithoutCancel(ctx), func(ctx context.Context) error {
		return c.cache.cache.Add(ctx, c.config.Group, ids, ttl)
	}) // logged; the ledger knows what is not cached
}

// elapsed is the larger of the times by the monotonic and by the wall clock:
// the first stands still while the machine is suspended.
func elapsed(since time.Time) time.Duration {
	now := time.Now()
	return max(now.Sub(since), now.Round(0).Sub(since.Round(0)))
}
