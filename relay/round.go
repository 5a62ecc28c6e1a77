package relay

import (
	"context"
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
			r.steps.await(ctx, unbounded, true)
			break
		}
		if err := r.claims.claim(ctx, p); err != nil {
			return err
		}
	}
	return ctx.Err()
}
