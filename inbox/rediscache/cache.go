package rediscache

import (
	"context"
	"net/url"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/sendoff-go/outbox/inbox"
)

// Config has a useful zero value.
type Config struct {
	// Name begins every key. Default "outbox:consumed".
	Name string
}

// Cache is an [inbox.Cache] in Redis. It is safe for concurrent use, also by
// several consumers. The client is the caller's to close.
type Cache struct {
	client redis.Cmdable
	name   string
}

var _ inbox.Cache = (*Cache)(nil)

// New makes a cache on a client of one server, of a cluster or of a ring. It
// sends nothing.
func New(client redis.Cmdable, c Config) *Cache {
	if c.Name == "" {
		c.Name = "outbox:consumed"
	}
	return &Cache{client, c.Name}
}

// key cannot be that of another group and id: the group has no colon in it.
func (c *Cache) key(group, id string) string {
	return c.name + ":" + url.QueryEscape(group) + ":" + id
}

// Has implements [inbox.Cache]. One command for each id, in one round trip: in
// a cluster the keys lie on several servers.
func (c *Cache) Has(ctx context.Context, group string, ids []string) ([]bool, error) {
	if len(ids) == 0 {
		return nil, nil
	}
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
}

// Add implements [inbox.Cache].
func (c *Cache) Add(ctx context.Context, group string, ids []string, ttl time.Duration) error {
	// Redis counts milliseconds, and no time at all would mean for ever.
	ttl = ttl.Truncate(time.Millisecond)
	if ttl <= 0 || len(ids) == 0 {
		return nil
	}
	_, err := c.client.Pipelined(ctx, func(p redis.Pipeliner) error {
		for _, id := range ids {
			p.Set(ctx, c.key(group, id), "", ttl)
		}
		return nil
	})
	return err
}
