package daemon

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// remindEvery is the pause between two lines about counts that fail.
const remindEvery = time.Minute

// toldCounts writes to the log why a count fails, of which metrics show only that it
// does: one line when that begins, at most one a minute, and one when it is over. It is
// safe for concurrent use.
type toldCounts struct {
	store driver.StatsStore
	log   *slog.Logger

	mu          sync.Mutex
	failures    int
	since, told time.Time
}

// Stats implements [driver.StatsStore].
func (c *toldCounts) Stats(ctx context.Context) (driver.Stats, error) {
	s, err := c.store.Stats(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	switch {
	case err != nil:
		if c.failures++; c.failures == 1 {
			c.since = now
		}
		if c.told.IsZero() || now.Sub(c.told) >= remindEvery {
			c.told = now
			c.log.Error("outbox: could not count for metrics, which show the last numbers or zero", "failures", c.failures, "error", err)
		}
	case c.failures > 0:
		if !c.told.Before(c.since) {
			c.log.Info("outbox: counting for metrics works again", "lasted", now.Sub(c.since).Round(time.Millisecond), "failures", c.failures)
		}
		c.failures = 0
	}
	return s, err
}
