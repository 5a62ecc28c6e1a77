package sim

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// eventType is a type of events and its destination.
type eventType struct {
	name      string
	batches   bool
	checks    bool
	hotQueue  int
	coldQueue int  // 0: much
	shaky     bool // some of its events fail
	leaves    bool // it has outages
	sticks    bool // some runs ignore the end of their context
	hangs     bool // its check takes all the time it has during an outage
	kills     bool // one of its events ends the process that runs it
	fair      bool // its lane is divided among tenants
	slow      bool // its runs take long, and may
	quick     bool // none does, but one
	attempts  int  // that its events may have
}

// timeout bounds the runs of the type.
func (t *eventType) timeout() time.Duration {
	if t.slow || t.quick {
		return 2 * lease
	}
	return runTimeout
}

// types are the lanes of every relay. The first two never fail, and share their
// keys; an event of the first that fails once is dead.
var types = []*eventType{
	{name: "placed", hotQueue: 1, attempts: 1},
	{name: "cancelled", hotQueue: 50, fair: true, attempts: maxAttempts},
	{name: "batched", batches: true, hotQueue: 50, fair: true, attempts: maxAttempts},
	{name: "shaky", hotQueue: 50, shaky: true, attempts: maxAttempts},
	{name: "away", batches: true, checks: true, hotQueue: 50, leaves: true, fair: true, attempts: maxAttempts},
	{name: "stuck", hotQueue: 50, coldQueue: 20, sticks: true, fair: true, attempts: maxAttempts},
	{name: "deadly", hotQueue: 50, kills: true, attempts: maxAttempts},
	{name: "deaf1", checks: true, hotQueue: 50, leaves: true, hangs: true, attempts: maxAttempts},
	{name: "deaf2", checks: true, hotQueue: 50, leaves: true, hangs: true, attempts: maxAttempts},
	{name: "deaf3", checks: true, hotQueue: 50, leaves: true, hangs: true, attempts: maxAttempts},
	{name: "deaf4", checks: true, hotQueue: 50, leaves: true, hangs: true, attempts: maxAttempts},
	{name: "deaf5", checks: true, hotQueue: 50, leaves: true, hangs: true, attempts: maxAttempts},
	{name: "deaf6", checks: true, hotQueue: 50, leaves: true, hangs: true, attempts: maxAttempts},
	{name: "quick", hotQueue: 50, coldQueue: 20, quick: true, attempts: 1},
	slow,
	{name: "partly", batches: true, hotQueue: 50, shaky: true, attempts: maxAttempts},
}

var slow = &eventType{name: "slow", hotQueue: 50, slow: true, attempts: 1}

// isShaky reports whether some events of that type fail.
func isShaky(name string) bool {
	return slices.ContainsFunc(types, func(t *eventType) bool { return t.name == name && t.shaky })
}

// batch returns the number of rows claimed at once: few in a fair lane, so that
// claims are full and the lane is divided, and fewer than there are tenants, so
// that one claim is not for all of them.
func (t *eventType) batch() int {
	if t.fair {
		return 2
	}
	return 30
}

// tenantOf returns the tenant of an event: that of its key, or the n-th in turn.
func tenantOf(e outbox.Event, n int) string {
	if e.AggregateID != "" {
		n = int(e.AggregateID[len(e.AggregateID)-1])
	}
	return []string{"", "acme", "bolt", "corp"}[n%4]
}

var (
	errFails  = errors.New("simulated failure")
	errIsAway = errors.New("simulated outage")
)

// isAway reports whether the destination is unavailable now.
func (t *eventType) isAway(w *world) bool { return t.leaves && windows(w.plan.away).at(w.since()) }

// check is the connection check of a destination.
func (t *eventType) check(w *world) (took time.Duration, err error) {
	took = w.between(100*time.Microsecond, 10*time.Millisecond)
	if t.isAway(w) {
		if t.hangs {
			took = 5 * time.Second
		}
		return took, errIsAway
	}
	return took, nil
}

// delivery is a run that a destination handles.
type delivery struct {
	p         *process
	run       *core.Run
	ignores   bool // the end of its context
	cancelled bool
	finished  bool
	done      func([]core.Answer)
}

// deliver hands a run to its destination.
func (p *process) deliver(run *core.Run) {
	p.start(run, func(answers []core.Answer) {
		p.step(func(c *core.Core) { c.Runs.Finished(run, answers) })
	})
}

func (p *process) start(run *core.Run, done func([]core.Answer)) {
	w := p.world
	d := &delivery{p: p, run: run, done: done}
	p.runs[run] = d
	t := run.Items[0].Dest.Target.(*eventType)
	took := t.takes(w)
	if first := run.Items[0].Held().EventID; first == w.plan.stuck {
		d.ignores, took = true, time.Hour
		w.ledger.excuse(first, "never")
	} else if first == w.plan.jam {
		took = 25 * time.Second
	} else if t.sticks && w.plan.class != Clean && w.faulty() && w.chance(0.05) {
		d.ignores = true
		took = w.between(runTimeout, 40*time.Second)
	}
	events := make([]outbox.Event, len(run.Items))
	for i, it := range run.Items {
		events[i] = *it.Event
		w.ledger.started(p, it)
	}
	if run.Items[0].Held().EventID == w.plan.poison {
		w.say("%s: the run of %s ends the process", p.name, w.plan.poison)
		w.after(took, func() { w.crash(p) })
		return
	}
	// The effect comes before the answer, even if the process is killed: a
	// message that was sent arrives.
	effect := w.between(0, took)
	answers := make([]core.Answer, len(events))
	w.after(effect, func() {
		if d.finished {
			return
		}
		reached := len(events) // before an outage
		if t.isAway(w) {
			reached = w.reached(len(events))
		}
		for i := range events {
			answers[i] = w.attempt(p, t, events[i], run.Items[i], i >= reached)
		}
	})
	p.after(took, func() { d.finish(answers) })
}

// takes is how long a run takes: at times longer than the head start, and those of
// a slow type longer than a lease.
func (t *eventType) takes(w *world) time.Duration {
	switch {
	case t.slow && w.chance(0.6):
		return w.between(time.Second, 25*time.Second)
	case !t.quick && w.chance(0.03):
		return w.between(time.Second, 8*time.Second)
	}
	return w.between(100*time.Microsecond, 50*time.Millisecond)
}

// reached returns how many of a batch the destination answers about before the
// connection is lost.
func (w *world) reached(n int) int {
	if n > 1 && w.chance(0.3) {
		return w.rand.IntN(n)
	}
	return 0
}

// attempt returns the destination's answer for one event. If the destination is
// away, it may have got the event all the same.
func (w *world) attempt(p *process, t *eventType, e outbox.Event, it *core.Item, away bool) core.Answer {
	switch {
	case away:
		w.ledger.wasAway(e.ID)
		if w.chance(0.05) {
			w.say("%s: the answer of %s about %s is lost", p.name, t.name, e.ID)
			w.ledger.delivered(p, e.ID)
			w.ledger.excuse(e.ID, "its answer was lost")
		}
		return core.Answer{Kind: core.Unavailable, Class: driver.ClassUnavailable, Text: "away", Err: errIsAway, Retry: time.Second}
	case t.shaky && w.ledger.fails(e.ID):
		w.ledger.failed(e.ID)
		w.say("%s: %s fails", p.name, e.ID)
		delay := min(200*time.Millisecond<<it.Attempts, time.Minute)
		return core.Answer{Kind: core.Failed, Class: driver.ClassFailed, Text: "failed", Err: errFails, Retry: delay}
	}
	w.ledger.delivered(p, e.ID)
	return core.Answer{}
}

func (d *delivery) finish(answers []core.Answer) {
	if d.finished {
		return
	}
	d.finished = true
	delete(d.p.runs, d.run)
	for _, it := range d.run.Items {
		d.p.world.ledger.ended(d.p, it.Held().EventID)
	}
	d.done(answers)
}

// cancelRun ends the context of a run, which then ends soon, unless it ignores
// that.
func (p *process) cancelRun(run *core.Run) {
	d := p.runs[run]
	if d == nil {
		return
	}
	p.world.ledger.cancelled(p, run)
	if d.cancelled || d.ignores {
		return
	}
	d.cancelled = true
	p.after(p.world.between(0, 10*time.Millisecond), func() {
		answers := make([]core.Answer, len(run.Items))
		for i := range answers {
			answers[i] = core.Answer{Kind: core.Failed, Class: driver.ClassCancelled, Text: "cancelled", Err: context.Canceled, Broken: true}
		}
		d.finish(answers)
	})
}

// giveUp settles the events of a run that does not end.
func (p *process) giveUp(run *core.Run) {
	answers := make([]core.Answer, len(run.Items))
	for i, it := range run.Items {
		answers[i] = core.Answer{Kind: core.Failed, Class: driver.ClassTimeout, Text: "timeout", Err: errFails, Retry: 200 * time.Millisecond << it.Attempts}
		p.world.ledger.gaveUp(it.Held().EventID)
	}
	p.step(func(c *core.Core) { c.Runs.GiveUp(run, answers) })
}

// proveLone does what package relay does with a suspect.
func (p *process) proveLone(it *core.Item) {
	row := driver.Renewal{Held: it.Held(), Attempts: it.Attempts + 1}
	sent := p.clock()
	request(p, statement[[]driver.Held]{what: "proof", timeout: renewTimeout, changes: idsOf([]*core.Item{it}), carryOut: func() ([]driver.Held, error) {
		return p.world.store.Renew(context.Background(), p.owner, lease, []driver.Renewal{row})
	}}, func(lost []driver.Held, err error) {
		var run *core.Run
		p.step(func(c *core.Core) {
			run = c.Lone.Proved(it, sent, len(lost) > 0, err)
		})
		if run == nil {
			return
		}
		p.deliver(run)
	})
}
