package sim

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

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
	for _, it := range run.Items {
		w.ledger.started(p, it)
	}
	if run.Items[0].Dest == nil {
		p.after(w.between(0, time.Millisecond), func() { d.finish(noRoute(run)) })
		return
	}
	t := run.Items[0].Dest.Target.(*eventType)
	took := t.takes(w)
	if first := run.Items[0].Held().EventID; first == w.plan.stuck {
		d.ignores, took = true, time.Hour
		w.ledger.excuse(first, "never")
	} else if t.hangs && t.isAway(w) {
		p.hang(d)
		return
	} else if first == w.plan.jam {
		took = 25 * time.Second
	} else if t.sticks && w.plan.class != Clean && w.faulty() && w.chance(0.05) {
		d.ignores = true
		took = w.between(runTimeout, 40*time.Second)
	}
	events := make([]outbox.Event, len(run.Items))
	for i, it := range run.Items {
		events[i] = *it.Event
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

// hang lets a run take all of its time without an answer, as a destination does that
// is down and has its packets dropped. That it ran into its deadline says that the
// destination is unavailable, and that the event may have arrived.
func (p *process) hang(d *delivery) {
	w := p.world
	p.after(d.run.Deadline.Sub(p.now()), func() {
		answers := make([]core.Answer, len(d.run.Items))
		for i, it := range d.run.Items {
			w.ledger.wasAway(it.Held().EventID)
			answers[i] = core.Answer{Kind: core.Unavailable, Class: driver.ClassUnavailable, Text: "deadline", Err: errIsAway, Maybe: true, Retry: time.Second}
		}
		d.finish(answers)
	})
}

// noRoute is the answer for events that have no destination here.
func noRoute(run *core.Run) []core.Answer {
	answers := make([]core.Answer, len(run.Items))
	for i := range answers {
		answers[i] = core.Answer{Kind: core.NoRoute, Class: driver.ClassUnroutable, Text: "no route", Err: driver.ErrUnroutable}
	}
	return answers
}

// takes is how long a run takes: at times longer than the head start, and those of
// a slow type longer than a lease.
func (t *eventType) takes(w *world) time.Duration {
	switch {
	case t.slow && w.chance(0.6):
		return w.between(time.Second, 25*time.Second)
	case t.batches && w.plan.class == Locks && w.chance(0.1):
		return w.between(2*time.Second, 9*time.Second)
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
	w.ledger.exact(p, &e, it)
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
	if !p.now().After(run.Deadline) {
		p.world.ledger.violated("a run has its time", "%s gives up %s", p.name, run.Items[0].Held().EventID)
	}
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
	sent := p.now()
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
