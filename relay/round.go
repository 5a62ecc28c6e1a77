package relay

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sendoff-go/outbox/relay/core"
)

// unbounded is longer than a round takes: its context ends it.
const unbounded = 24 * time.Hour

// round is what one call of [Relay.RunOnce] delivers.
type round struct {
	steps    *stepper
	wake     wakeup // there is room
	look     *lookLoop
	probe    *probeLoop
	claims   *claims
	shutdown *shutdown
}

// run claims until nothing is left that was due when it began, and waits until
// all is settled.
func (r *round) run(ctx context.Context) error {
	if err := r.look.look(ctx); err != nil {
		return err
	}
	r.probe.once(ctx)
	for ctx.Err() == nil {
		var p core.Polling
		r.steps.step(func(c *core.Core) { p = c.Claims.NextOfRound() })
		if len(p.Wants) == 0 && p.Wait > 0 {
			pause(ctx, p.Wait, r.wake)
			continue
		}
		if len(p.Wants) == 0 {
			r.shutdown.drain() // otherwise the hot path goes on as long as others write
			return r.settle(ctx)
		}
		if err := r.claims.claim(ctx, p); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// ErrUnsettled is returned by RunOnce if outcomes could not be written: the database is
// not available, or another session has locked their rows. Their events are left to
// their leases, and delivered again.
var ErrUnsettled = errors.New("relay: outcomes could not be written")

// settle waits until what runs has ended, and until all outcomes are written, or none
// has been for the drain timeout.
func (r *round) settle(ctx context.Context) error {
	r.steps.awaitOver(ctx, unbounded, func(c *core.Core) bool { return c.Quiet(false) })
	for before := r.unsettled(); before > 0 && ctx.Err() == nil; {
		r.steps.await(ctx, r.shutdown.timeout, true)
		left := r.unsettled()
		if left == before && ctx.Err() == nil {
			return fmt.Errorf("%w: %d for %s, see the log for the reason; their events are delivered again when their leases end", ErrUnsettled, left, r.shutdown.timeout)
		}
		before = left
	}
	return ctx.Err()
}

func (r *round) unsettled() (n int) {
	r.steps.step(func(c *core.Core) { n = c.Load().Unsettled })
	return n
}
