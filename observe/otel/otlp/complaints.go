package otlp

import (
	"log/slog"
	"sync"
	"time"
)

// between is the time between two lines about exporters: with a collector that is
// down, each export fails.
const between = time.Minute

// complaints logs the errors of OpenTelemetry.
type complaints struct {
	log *slog.Logger

	mu   sync.Mutex
	last time.Time
	n    int
}

// Handle implements the ErrorHandler of OpenTelemetry.
func (c *complaints) Handle(err error) {
	c.mu.Lock()
	c.n++
	n, now := c.n, time.Now()
	tell := c.last.IsZero() || now.Sub(c.last) >= between
	if tell {
		c.last, c.n = now, 0
	}
	c.mu.Unlock()
	if tell {
		c.log.Warn("outbox: traces or metrics cannot be sent, and are dropped; deliveries go on", "failures", n, "error", err)
	}
}
