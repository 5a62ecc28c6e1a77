package relay

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// checks runs the connection checks of destinations.
type checks struct{ steps *stepper }

// checkTimeout bounds a connection check.
const checkTimeout = 5 * time.Second

// check runs the connection check of a destination. It returns at its timeout
// even if the check does not, and tells the core of such a check, and of its end.
func (s *checks) check(ctx context.Context, b *core.Breaker, t driver.Destination) error {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	answer, left := make(chan error), make(chan struct{})
	go func() {
		defer cancel()
		err := errGoexit
		defer func() { // even if the check ends its goroutine
			select {
			case answer <- err:
			case <-left:
				s.steps.step(func(c *core.Core) { c.Dests.CheckEnded(b, err) })
			}
		}()
		err = caughtCheck(ctx, t.Check())
	}()
	select {
	case err := <-answer:
		return err
	case <-ctx.Done():
		s.steps.step(func(c *core.Core) { c.Dests.CheckLate(b) })
		close(left)
		return context.Cause(ctx)
	}
}

func caughtCheck(ctx context.Context, check func(context.Context) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = newPanic(p)
		}
	}()
	return check(ctx)
}
