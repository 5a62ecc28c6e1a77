package relay

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// checks runs the connection checks of destinations.
type checks struct {
	late sync.Map // destinations whose check still runs after its timeout, and its channel
}

// checkTimeout bounds a connection check.
const checkTimeout = 5 * time.Second

var errLate = errors.New("relay: an earlier connection check ignores the end of its context and still runs")

// check runs the connection check of a destination. It returns at its timeout
// even if the check does not; late, which may be nil, then gets the result of
// the check. Meanwhile the destination is not checked again, so that such
// checks do not pile up.
func (s *checks) check(ctx context.Context, t driver.Destination, late func(error)) error {
	if _, still := s.late.Load(t); still {
		return errLate
	}
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	answer, left := make(chan error), make(chan struct{})
	go func() {
		defer cancel()
		err := errGoexit
		defer func() { // even if the check ends its goroutine
			select {
			case answer <- err:
			case <-left:
				s.late.CompareAndDelete(t, answer) // another one may be late, too
				if late != nil {
					late(err)
				}
			}
		}()
		err = caughtCheck(ctx, t.Check())
	}()
	select {
	case err := <-answer:
		return err
	case <-ctx.Done():
		s.late.Store(t, answer)
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
