package outboxtest

import (
	"sync"
	"time"
)

// Clock is a clock that stands still until it is moved. The zero value starts
// at the beginning of 2000.
type Clock struct {
	mu    sync.Mutex
	since time.Duration
}

// Now returns the time that the clock shows.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).Add(c.since)
}

// Advance moves the clock, backwards if d is negative.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.since += d
}
