package signals

import (
	"context"
	"sync"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// countTimeout bounds a count: whoever reads metrics waits for it.
const countTimeout = 5 * time.Second

// counts are counted in the database, up to a bound, and kept for a while.
type counts struct {
	keep time.Duration

	mu    sync.Mutex
	store driver.StatsStore
	at    time.Time
	stats driver.Stats
}

func (c *counts) from(s driver.StatsStore) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.store = s
}

// count asks the database, unless the last answer still serves. After an error
// the numbers are the last ones, or zero.
func (c *counts) count() (driver.Stats, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.store != nil && (c.at.IsZero() || time.Since(c.at) > c.keep) {
		ctx, cancel := context.WithTimeout(context.Background(), countTimeout)
		defer cancel()
		s, err := c.store.Stats(ctx)
		if err != nil {
			return c.stats, err
		}
		c.stats, c.at = s, time.Now()
	}
	return c.stats, nil
}
