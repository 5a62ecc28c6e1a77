package relay

import (
	"sync"
	"time"

	"github.com/sendoff-go/outbox/relay/core"
)

// effects are reused by later steps.
var effects = sync.Pool{New: func() any { return new(core.Effects) }}

// step makes one step of the core and then carries out what it asks for.
func (r *Relay) step(f func(c *core.Core, now time.Time, fx *core.Effects)) {
	fx := effects.Get().(*core.Effects)
	r.decide(fx, f)
	r.act(fx)
	effects.Put(fx)
}

// decide makes one step of the core under the lock. Nothing else may run there:
// no hook, no policy, no log, no statement.
func (r *Relay) decide(fx *core.Effects, f func(c *core.Core, now time.Time, fx *core.Effects)) {
	now := time.Now()
	r.mu.Lock()
	defer r.mu.Unlock() // after a panic the writers go on
	f(r.core, now, fx)
	for _, run := range fx.Runs {
		run.Handle = newRunContext(r.runCtx, run.Deadline) // before it can be cancelled
	}
	r.quiet.check(r.core)
	if len(fx.Turns) > 0 {
		r.turns.add(fx.Turns)
	}
}

// act carries out what a step asked for, outside of the lock, and empties fx.
func (r *Relay) act(fx *core.Effects) {
	if run := r.startRuns(fx); run != nil {
		r.employ(run)
	}
	r.finish(fx)
}

// startRuns does what others wait for: it calls the hooks, those of one event
// in order, and starts all runs but one, which it returns for the caller.
func (r *Relay) startRuns(fx *core.Effects) (mine *core.Run) {
	for _, run := range fx.Cancel {
		cancelRun(run)
	}
	for i := range fx.Notes {
		r.tell(&fx.Notes[i])
	}
	if len(fx.Turns) > 0 {
		r.turns.tell(r.tell)
	}
	if len(fx.Decided) > 0 {
		r.tellDecisions(fx.Decided)
	}
	for _, run := range fx.Runs {
		if mine == nil {
			mine = run
		} else {
			r.employ(run)
		}
	}
	return mine
}

// finish does the rest.
func (r *Relay) finish(fx *core.Effects) {
	r.wakes.signal(fx.Wake)
	for _, run := range fx.Overdue { // asks the retry policy; leases must not wait for it
		r.staff.all.Go(func() { r.giveUp(run) })
	}
	if fx.Lone != nil {
		r.employLone(fx.Lone)
	}
	if len(fx.Others) > 0 {
		r.notifyOthers(fx.Others)
	}
	fx.Reset()
}

// quiet is a caller that waits until something is over.
type quiet struct {
	over func(c *core.Core) bool
	done chan struct{}
}

// check is called with the lock held.
func (q *quiet) check(c *core.Core) {
	if q == nil || !q.over(c) {
		return
	}
	select {
	case <-q.done:
	default:
		close(q.done)
	}
}
