package relay

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sendoff-go/outbox/relay/core"
)

// shutdown claims nothing new, finishes what is in memory, gives back what is
// queued, and settles, all within the drain timeout. Events that still run then
// are cancelled and left to their leases: giving them back could run them twice
// at once.
func (r *Relay) shutdown(ctx context.Context, taking *loops, endHolding func()) error {
	ctx, cancel := context.WithTimeout(ctx, r.cfg.DrainTimeout)
	defer cancel()
	r.drain()
	taking.Wait()
	r.await(ctx, r.cfg.DrainTimeout*4/5, false)
	r.stop()
	r.await(ctx, r.cfg.DrainTimeout/5, true)
	r.withdraw(ctx)
	r.awaitRuns(ctx)
	endHolding()
	err := r.awaitWorkers()
	r.rest()
	return err
}

// awaitRuns waits until the runs have ended, also those that were given up.
func (r *Relay) awaitRuns(ctx context.Context) {
	r.awaitOver(ctx, r.cfg.DrainTimeout, func(c *core.Core) bool {
		_, since := c.Running()
		return len(since) == 0
	})
}

// awaitWorkers waits until the workers have ended, unless some are in runs that
// ignore the end of their context. It returns those as an error and logs them,
// since many programs ignore what Run returns.
func (r *Relay) awaitWorkers() error {
	var total int
	var since map[string]int
	r.step(func(c *core.Core, _ time.Time, _ *core.Effects) { total, since = c.Running() })
	if total == 0 {
		r.staff.all.Wait()
		return nil
	}
	err := stillRunning(since)
	if err != nil {
		r.log.Warn("outbox: the relay has ended while deliveries are still running", "error", err)
	}
	return err
}

// drain makes the relay take nothing new.
func (r *Relay) drain() {
	r.step(func(c *core.Core, _ time.Time, _ *core.Effects) { c.Drain() })
	r.staff.dismiss()
}

// stop gives back what is queued and cancels what runs.
func (r *Relay) stop() {
	r.step(func(c *core.Core, now time.Time, fx *core.Effects) { c.Stop(now, fx) })
	r.staff.dismiss()
}

// rest forgets everything, for the next Run.
func (r *Relay) rest() {
	r.step(func(c *core.Core, now time.Time, fx *core.Effects) { c.Rest(now, fx) })
}

// await waits until nothing is queued or runs and, with rows, nothing is
// unsettled, but no longer than d.
func (r *Relay) await(ctx context.Context, d time.Duration, rows bool) {
	r.awaitOver(ctx, d, func(c *core.Core) bool { return c.Quiet(rows) })
}

func (r *Relay) awaitOver(ctx context.Context, d time.Duration, over func(c *core.Core) bool) {
	q := &quiet{over: over, done: make(chan struct{})}
	r.step(func(c *core.Core, _ time.Time, fx *core.Effects) {
		c.Hurry(true)
		fx.Wake |= core.SettleLoop
		r.quiet = q
	})
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-q.done:
	case <-t.C:
	case <-ctx.Done():
	}
	r.step(func(c *core.Core, _ time.Time, _ *core.Effects) {
		c.Hurry(false)
		r.quiet = nil
	})
}

// ErrStillRunning is returned by Run and RunOnce when listeners or sinks have
// not returned although their context has ended and the drain timeout is over.
// They keep running in the background. Their events are left to their leases,
// and delivered again.
var ErrStillRunning = errors.New("relay: deliveries are still running although their context has ended")

// stillRunning returns that error for the number of runs of each type, or nil
// if there are none.
func stillRunning(types map[string]int) error {
	if len(types) == 0 {
		return nil
	}
	names := make([]string, 0, len(types))
	for _, name := range slices.Sorted(maps.Keys(types)) {
		names = append(names, fmt.Sprintf("%d of %s", types[name], name))
	}
	return fmt.Errorf("%w: %s: their events will be delivered again; return when the context ends, or raise DrainTimeout", ErrStillRunning, strings.Join(names, ", "))
}
