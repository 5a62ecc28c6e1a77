package relay

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox/relay/core"
)

// await waits until nothing is queued or runs and, with rows, nothing is
// unsettled, but no longer than d.
func (s *stepper) await(ctx context.Context, d time.Duration, rows bool) {
	s.awaitOver(ctx, d, func(c *core.Core) bool { return c.Quiet(rows) })
}

func (s *stepper) awaitOver(ctx context.Context, d time.Duration, over func(c *core.Core) bool) {
	q := &quiet{over: over, done: make(chan struct{})}
	s.step(func(c *core.Core) {
		c.Outcomes.Hurry(true)
		s.quiet = q
	})
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-q.done:
	case <-t.C:
	case <-ctx.Done():
	}
	s.step(func(c *core.Core) {
		c.Outcomes.Hurry(false)
		s.quiet = nil
	})
}

// quiet is a caller that waits until something is over.
type quiet struct {
	over func(c *core.Core) bool
	done chan struct{}
}

// check is called with the lock held.
func (q *quiet) check(c *core.Core) {
	if q == nil || !q.over(c) {
		return
	}
	select {
	case <-q.done:
	default:
		close(q.done)
	}
}
