package relay

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// checkTimeout bounds a connection check.
const checkTimeout = 5 * time.Second

// probeLoop probes unavailable destinations independently: with their own check
// or, without one, with a single event.
func (r *Relay) probeLoop(ctx context.Context) {
	var probes sync.WaitGroup
	defer probes.Wait()
	for {
		due, wait := r.dueProbes()
		for _, b := range due {
			probes.Go(func() { r.probe(ctx, b) })
		}
		if !pause(ctx, wait, r.wakes.of(core.ProbeLoop)) {
			return
		}
	}
}

// probeDue runs the probes that are due, concurrently, and returns.
func (r *Relay) probeDue(ctx context.Context) {
	var probes sync.WaitGroup
	due, _ := r.dueProbes()
	for _, b := range due {
		probes.Go(func() { r.probe(ctx, b) })
	}
	probes.Wait()
}

func (r *Relay) dueProbes() (due []*core.Breaker, wait time.Duration) {
	r.step(func(c *core.Core, now time.Time, fx *core.Effects) { due, wait = c.DueProbes(now, fx) })
	return due, wait
}

func (r *Relay) probe(ctx context.Context, b *core.Breaker) {
	err := r.check(ctx, b.Target.(driver.Destination), func(err error) {
		if err == nil { // late, but the destination is back
			r.step(func(c *core.Core, now time.Time, fx *core.Effects) { c.Probed(now, b, nil, fx) })
		}
	})
	r.step(func(c *core.Core, now time.Time, fx *core.Effects) { c.Probed(now, b, err, fx) })
}

var errLate = errors.New("relay: an earlier connection check ignores the end of its context and still runs")

// check runs the connection check of a destination. It returns at its timeout
// even if the check does not; late, which may be nil, then gets the result of
// the check. Meanwhile the destination is not checked again, so that such
// checks do not pile up.
func (r *Relay) check(ctx context.Context, t driver.Destination, late func(error)) error {
	if _, still := r.late.Load(t); still {
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
				r.late.Delete(t)
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
		r.late.Store(t, true)
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
