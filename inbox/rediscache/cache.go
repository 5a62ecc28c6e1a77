package rediscache

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/sendoff-go/outbox/inbox"
)

// Config says whose events the cache knows.
type Config struct {
	// Database names the ledger's database, for example "shop" or the name of the
	// service that owns it: the same in all of its instances, and in no other
	// service. Two services with the same name and group on one Redis would skip
	// each other's events. Required.
	Database string
}

// Cache is an [inbox.Cache] in Redis. It is safe for concurrent use, including
// by several consumers of its database. The caller closes the client.
type Cache struct {
	client redis.Cmdable
	prefix string
}

var _ inbox.Cache = (*Cache)(nil)

// New makes a cache on a client of one server, of a cluster or of a ring. It
// sends nothing, and fails only without a Database.
func New(client redis.Cmdable, c Config) (*Cache, error) {
	if c.Database == "" {
		return nil, errors.New("rediscache: Database is empty: name the ledger's database, so that services that share this Redis do not skip each other's events")
	}
	return &Cache{client, "outbox:consumed:" + url.QueryEscape(c.Database) + ":"}, nil
}

// key is unique for a database, group and id: the escaped names of the first
// two contain no colon.
func (c *Cache) key(group, id string) string {
	return c.prefix + url.QueryEscape(group) + ":" + id
}

// Has implements [inbox.Cache]. It sends one command for each id, in one round
// trip: in a cluster the keys are on several servers.
func (c *Cache) Has(ctx context.Context, group string, ids []string) ([]bool, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	ids = slices.Clone(ids) // the client may still send them after the caller has given up
	return bounded(ctx, func() ([]bool, error) {
		found := make([]*redis.IntCmd, len(ids))
		if _, err := c.client.Pipelined(ctx, func(p redis.Pipeliner) error {
			for i, id := range ids {
				found[i] = p.Exists(ctx, c.key(group, id))
			}
			return nil
		}); err != nil {
			return nil, err
		}
		known := make([]bool, len(ids))
		for i, f := range found {
			known[i] = f.Val() == 1
		}
		return known, nil
	})
}

// Add implements [inbox.Cache].
func (c *Cache) Add(ctx context.Context, group string, ids []string, ttl time.Duration) error {
	// Redis counts in milliseconds, and zero would mean forever.
	ttl = ttl.Truncate(time.Millisecond)
	if ttl <= 0 || len(ids) == 0 {
		return nil
	}
	ids = slices.Clone(ids)
	_, err := bounded(ctx, func() (struct{}, error) {
		_, err := c.client.Pipelined(ctx, func(p redis.Pipeliner) error {
			for _, id := range ids {
				p.Set(ctx, c.key(group, id), "", ttl)
			}
			return nil
		})
		return struct{}{}, err
	})
	return err
}

// bounded runs f, but waits no longer than ctx: a client without
// ContextTimeoutEnabled observes only its own ReadTimeout. An abandoned f ends
// by that, and holds one connection of the client until then.
func bounded[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		v, err := f()
		done <- result{v, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}
