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

// probeLoop tests destinations that are away, each for itself: by their own
// check, or, where they have none, by letting one event try.
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

// probeDue probes what is due, side by side, and returns.
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
		if err == nil { // late, but good news
			r.step(func(c *core.Core, now time.Time, fx *core.Effects) { c.Probed(now, b, nil, fx) })
		}
	})
	r.step(func(c *core.Core, now time.Time, fx *core.Effects) { c.Probed(now, b, err, fx) })
}

var errLate = errors.New("relay: an earlier connection check ignores the end of its context, and goes on")

// check asks a destination whether it is there. It returns when its time is
// over, also if the check does not; late is then told what the check says after
// all. It may be nil. A destination is not asked again meanwhile, so that such
// checks do not add up.
func (r *Relay) check(ctx context.Context, t driver.Destination, late func(error)) error {
	if _, still := r.late.Load(t); still {
		return errLate
	}
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	answer, left := make(chan error), make(chan struct{})
	go func() {
		defer cancel()
		err := errGoexit
		defer func() { // also if the check ends its goroutine
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
