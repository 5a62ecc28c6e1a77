package relay

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sendoff-go/outbox/relay/core"
)

// shutdown ends a run of the relay.
type shutdown struct {
	steps    *stepper
	staff    *staff
	announce *announceLoop
	timeout  time.Duration
	log      *slog.Logger
}

// run claims nothing new, finishes what is in memory, gives back what is
// queued, and settles, all within the drain timeout. Events that still run then
// are cancelled and left to their leases: giving them back could run them twice
// at once.
func (s *shutdown) run(ctx context.Context, taking *sync.WaitGroup, endHolding func()) error {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	s.drain()
	taking.Wait()
	s.steps.await(ctx, s.timeout*4/5, false)
	s.stop()
	left, _ := ctx.Deadline()
	s.steps.await(ctx, time.Until(left)*9/10, true) // the rest is for saying that it has ended
	s.announce.withdraw(ctx)
	s.awaitRuns(ctx)
	endHolding()
	err := s.awaitWorkers()
	s.rest()
	return err
}

// awaitRuns waits until the runs have ended, also those that were given up.
func (s *shutdown) awaitRuns(ctx context.Context) {
	s.steps.awaitOver(ctx, s.timeout, func(c *core.Core) bool { return c.RunsEnded() })
}

// awaitWorkers waits until the workers have ended, unless some are in runs that
// ignore the end of their context. It returns those as an error and logs them,
// since many programs ignore what Run returns.
func (s *shutdown) awaitWorkers() error {
	var total int
	var since map[string]int
	s.steps.step(func(c *core.Core) { total, since = c.Running() })
	if total == 0 {
		s.staff.all.Wait()
		return nil
	}
	err := stillRunning(since)
	if err != nil {
		s.log.Warn("outbox: the relay has ended while deliveries are still running", "error", err)
	}
	return err
}

// drain makes the relay take nothing new.
func (s *shutdown) drain() {
	s.steps.step(func(c *core.Core) { c.Drain() })
	s.staff.dismiss()
}

// stop gives back what is queued and cancels what runs.
func (s *shutdown) stop() {
	s.steps.stop()
	s.staff.dismiss()
}

// rest forgets everything, for the next Run.
func (s *shutdown) rest() {
	s.steps.step(func(c *core.Core) { c.Rest() })
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
