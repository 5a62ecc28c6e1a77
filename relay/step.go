package relay

import (
	"context"
	"sync"
	"time"

	"github.com/sendoff-go/outbox/relay/core"
)

// stepper makes the steps of the core and carries out what they ask for. All that
// changes the core goes through it, and nothing else has the lock.
//
// It starts workers, and workers make steps: the one cycle among the parts of a
// relay.
type stepper struct {
	teller   *teller
	staff    *staff
	wakes    wakes
	notifier *Notifier // wakes relays of other processes; nil if the store cannot
	tells    bool      // the core waits until the hooks have been told

	mu     sync.Mutex
	core   *core.Core      // decides; use it only with mu held, for a step
	quiet  *quiet          // a caller waits until nothing is left to do
	runCtx context.Context // of the listeners
	// checkCtx is of checks before lone runs, which end when the relay stops.
	checkCtx  context.Context
	endChecks context.CancelFunc
}

// begin starts the core, and calls then before any other step, with the lock held.
// It reports false if the core was started before.
func (s *stepper) begin(ctx context.Context, then func()) bool {
	var began bool
	s.step(func(c *core.Core) {
		if began = c.Start(); began {
			s.runCtx = context.WithoutCancel(ctx)
			s.checkCtx, s.endChecks = context.WithCancel(s.runCtx)
			then()
		}
	})
	return began
}

// effects are reused by later steps.
var effects = sync.Pool{New: func() any { return new(core.Effects) }}

// step makes one step of the core and then carries out what it asks for.
func (s *stepper) step(f func(c *core.Core)) {
	fx := effects.Get().(*core.Effects)
	s.decide(fx, f)
	s.act(fx)
	effects.Put(fx)
}

// decide makes one step of the core under the lock. Nothing else may run there:
// no hook, no policy, no log, no statement.
func (s *stepper) decide(fx *core.Effects, f func(c *core.Core)) {
	now := time.Now()
	s.mu.Lock()
	defer s.mu.Unlock() // after a panic the writers go on
	s.core.Step(now, fx, f)
	for _, run := range fx.Runs {
		s.equipLocked(run) // before it can be cancelled
	}
	s.quiet.check(s.core)
	if len(fx.Turns) > 0 {
		s.teller.turns.add(fx.Turns)
	}
}

// equipLocked gives a run its context. It is called with the lock held.
func (s *stepper) equipLocked(run *core.Run) { run.Handle = newRunContext(s.runCtx, run.Deadline) }

// context returns the context of the listeners.
func (s *stepper) context() context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.runCtx
}

// checkContext returns the context of checks before lone runs.
func (s *stepper) checkContext() context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.checkCtx
}

// stop makes the core start nothing more, and ends those checks.
func (s *stepper) stop() {
	s.step(func(c *core.Core) {
		c.Stop()
		s.endChecks()
	})
}

// act carries out what a step asked for, outside of the lock, and empties fx.
func (s *stepper) act(fx *core.Effects) {
	if run := s.startRuns(fx); run != nil {
		s.staff.employ(run)
	}
	s.finish(fx)
}

// startRuns does what others wait for: it calls the hooks, those of one event
// in order, and starts all runs but one, which it returns for the caller.
func (s *stepper) startRuns(fx *core.Effects) (mine *core.Run) {
	for _, run := range fx.Cancel {
		cancelRun(run)
	}
	for i := range fx.Notes {
		s.teller.tell(&fx.Notes[i])
	}
	if len(fx.Turns) > 0 {
		s.teller.turns.tell(s.teller.tell)
	}
	if len(fx.Decided) > 0 {
		s.tellDecisions(fx.Decided)
	}
	for _, run := range fx.Runs {
		if mine == nil {
			mine = run
		} else {
			s.staff.employ(run)
		}
	}
	return mine
}

// tellDecisions calls the hooks for decided events, and lets their outcomes go
// on.
func (s *stepper) tellDecisions(ds []core.Decision) {
	for i := range ds {
		s.teller.tellDecision(&ds[i])
	}
	if s.tells {
		s.step(func(c *core.Core) { c.Decisions.Told(ds) })
	}
}

// finish does the rest.
func (s *stepper) finish(fx *core.Effects) {
	s.wakes.signal(fx.Wake)
	for _, run := range fx.Overdue {
		s.staff.giveUp(run)
	}
	if fx.Lone != nil {
		s.staff.employLone(fx.Lone)
	}
	if len(fx.Others) > 0 && s.notifier != nil {
		s.notifier.notify(fx.Others)
	}
	fx.Reset()
}
