package relay

import (
	"context"
	"errors"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// Report is what one round did.
type Report struct {
	Delivered int // done
	Retried   int // failed, and will be tried again
	Dead      int // given up
	Released  int // given back without an attempt
}

// RunOnce delivers what is due and returns when it is settled. What becomes due
// after it began is left to the next round, so that it returns while others keep
// writing; what comes over [Relay.HotPath] until then is delivered too. It tries
// each event only once, even if its retry is due at once, and probes an
// unavailable destination if its probe is due. When ctx ends, it returns within
// the drain timeout; a listener that ignores the end of its context keeps running,
// its event is left to its lease, and the error wraps [ErrStillRunning] as well.
// It cannot run at the same time as [Relay.Run].
func (r *Relay) RunOnce(ctx context.Context) (Report, error) {
	if err := r.begin(ctx); err != nil {
		return Report{}, err
	}
	loopCtx, end := context.WithCancel(context.WithoutCancel(ctx))
	holding := r.startHolding(loopCtx)
	var before, after [5]int
	r.step(func(c *core.Core, now time.Time, _ *core.Effects) {
		before = c.Counts()
		c.BeginRound(now)
	})
	err := r.round(ctx)
	r.drain()
	if ctx.Err() != nil {
		r.stop()
	}
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.cfg.DrainTimeout)
	defer cancel()
	r.await(drain, r.cfg.DrainTimeout, true)
	r.awaitRuns(drain)
	end()
	holding.Wait()
	still := r.awaitWorkers()
	r.step(func(c *core.Core, _ time.Time, _ *core.Effects) { after = c.Counts() })
	r.rest()
	n := func(k driver.OutcomeKind) int { return after[k] - before[k] }
	if n(driver.Dead) > 0 {
		r.groupDead(drain)
	}
	return Report{Delivered: n(driver.Done), Retried: n(driver.Retry), Dead: n(driver.Dead), Released: n(driver.Release)}, join(err, still)
}

// join returns a single error unchanged.
func join(err, other error) error {
	if other == nil {
		return err
	}
	return errors.Join(err, other)
}

// unbounded is longer than a round takes: its context ends it.
const unbounded = 24 * time.Hour

// round claims until nothing is left that was due when it began, and waits until
// all is settled.
func (r *Relay) round(ctx context.Context) error {
	if err := r.look(ctx); err != nil {
		return err
	}
	r.probeDue(ctx)
	for ctx.Err() == nil {
		var p core.Polling
		r.step(func(c *core.Core, now time.Time, fx *core.Effects) { p = c.PollRound(now, fx) })
		if len(p.Wants) == 0 {
			r.drain() // otherwise the hot path goes on as long as others write
			r.await(ctx, unbounded, true)
			break
		}
		if err := r.claim(ctx, p); err != nil {
			return err
		}
		r.awaitOver(ctx, unbounded, func(c *core.Core) bool { return c.Cold() == 0 })
	}
	return ctx.Err()
}
