package relay

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sendoff-go/outbox/relay/core"
)

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
// all is settled, or until no outcome has been written for long.
func (r *round) run(ctx context.Context) error {
	if err := r.look.look(ctx); err != nil {
		return err
	}
	r.probe.once(ctx)
	writing := writing{steps: r.steps, patience: r.shutdown.timeout}
	for ctx.Err() == nil {
		var p core.Polling
		r.steps.step(func(c *core.Core) { p = c.Claims.NextOfRound() })
		if len(p.Wants) == 0 && p.Wait > 0 {
			pause(ctx, p.Wait, r.wake)
			if err := writing.stands(); err != nil {
				return err
			}
			continue
		}
		if len(p.Wants) == 0 {
			break
		}
		if err := r.claims.claim(ctx, p); err != nil {
			return err
		}
		writing.since = time.Time{} // nobody looked while the claim was under way
	}
	r.shutdown.drain() // otherwise the hot path goes on as long as others write
	for quiet := false; !quiet && ctx.Err() == nil; {
		r.steps.awaitOver(ctx, r.shutdown.timeout/10, func(c *core.Core) bool {
			quiet = c.Quiet(true)
			return quiet
		})
		if err := writing.stands(); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// ErrUnsettled is returned by RunOnce if outcomes could not be written: the database is
// not available, or another session has locked their rows. Their events are left to
// their leases, and delivered again.
var ErrUnsettled = errors.New("relay: outcomes could not be written")

// writing watches how the writing of outcomes goes on.
type writing struct {
	steps    *stepper
	patience time.Duration
	last     core.Progress
	since    time.Time
}

// stands returns an error if outcomes wait, nothing runs, and none has been written for
// long.
func (w *writing) stands() error {
	var p core.Progress
	w.steps.step(func(c *core.Core) { p = c.Outcomes.Progress() })
	now := time.Now()
	if p.Left == 0 || p.Ended != w.last.Ended || w.since.IsZero() {
		w.last, w.since = p, now
	}
	// Others may have to wait for a statement that takes long, but not for one that hangs.
	if now.Sub(w.since) < w.patience+2*min(p.Took, 10*w.patience) {
		return nil
	}
	return fmt.Errorf("%w: %d for %s, see the log for the reason; their events are delivered again when their leases end",
		ErrUnsettled, p.Left, now.Sub(w.since).Round(time.Second))
}
