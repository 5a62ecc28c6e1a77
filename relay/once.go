package relay

import (
	"context"
	"errors"
	"fmt"

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
// its event is left to its lease, and the error wraps [ErrStillRunning] as well. If
// outcomes cannot be written, it gives up when none has been for the drain timeout, or
// longer where statements take long, and returns [ErrUnsettled]; the report has those
// that were written.
// It cannot run at the same time as [Relay.Run].
func (r *Relay) RunOnce(ctx context.Context) (Report, error) {
	r.paused.lookBefore(ctx) // writers hand over events from the beginning on
	if err := r.begin(ctx); err != nil {
		return Report{}, err
	}
	loopCtx, end := context.WithCancel(context.WithoutCancel(ctx))
	holding := start(loopCtx, r.holding)
	following := start(loopCtx, []loop{r.paused.run})
	var before, after, unwritten [5]int
	var gaveUp int
	r.steps.step(func(c *core.Core) {
		before, gaveUp = c.Outcomes.Counts(), c.Outcomes.Progress().GaveUp
		c.Claims.BeginRound()
		c.Outcomes.Hurry(true) // it may wait for the rows to be free
	})
	err := r.round.run(ctx)
	r.shutdown.drain()
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.shutdown.timeout)
	defer cancel()
	if ctx.Err() == nil {
		r.steps.await(drain, r.shutdown.timeout*4/5, false) // after an error something may be left
	}
	r.shutdown.stop()
	settling := r.shutdown.timeout
	if errors.Is(err, ErrUnsettled) { // it was waited for
		settling /= 10
	}
	r.steps.await(drain, settling, true)
	r.shutdown.awaitRuns(drain)
	end()
	holding.Wait()
	following.Wait()
	still := r.shutdown.awaitWorkers()
	r.steps.step(func(c *core.Core) {
		after, unwritten = c.Outcomes.Counts(), c.Outcomes.Unwritten()
		gaveUp = c.Outcomes.Progress().GaveUp - gaveUp
	})
	if gaveUp > 0 && err == nil {
		err = fmt.Errorf("%w: the database refuses %d, see the log for the reason; their events are delivered again when their leases end", ErrUnsettled, gaveUp)
	}
	r.shutdown.rest()
	n := func(k driver.OutcomeKind) int { return after[k] - before[k] - unwritten[k] }
	if n(driver.Dead) > 0 {
		r.groups.group(drain)
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
