package sim

import (
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay/core"
)

// The relays go on for a while when nothing is left to do, to see what idle lanes
// cost: lanes that are due within a fifth of their interval share a claim, which
// makes five in an interval at most.
const (
	idle       = 20 * time.Second
	idleClaims = 5*int(idle/interval) + 5
)

// rest lets the relays go on with nothing to do.
func (w *world) rest() {
	for _, p := range w.processes {
		p.before = p.claimed
	}
	rest := headStart + 3*time.Second // hot slots of open transactions are over by then
	if w.plan.class == Clean {
		rest = idle
	}
	for end := w.now.Add(rest); len(w.ledger.violations) == 0 && w.step(end); {
	}
	for _, p := range w.processes {
		if p.takes() && !w.now.Before(p.thaws) {
			w.ledger.rested(p)
		}
	}
}

// rested is called when a relay has been idle for that time.
func (l *ledger) rested(p *process) {
	if n := p.claimed - p.before; l.w.plan.class == Clean && n > idleClaims {
		l.violated("idle lanes are claimed together", "%s claimed %d times in %s", p.name, n, idle)
	}
	if !l.settledAll() {
		return
	}
	if held := p.core.Load(); held != (core.Load{}) {
		l.violated("a relay with nothing to do holds nothing", "%s holds %+v", p.name, held)
	}
	for _, kind := range []string{"placed", "cancelled", "batched", "quick", "slow"} {
		if kind != l.w.plan.paused && !p.admits(kind) {
			l.violated("an idle relay has room for what is written", "%s for %s", p.name, kind)
		}
	}
}

// settledAll reports whether no event waits, not even one that cannot run.
func (l *ledger) settledAll() bool {
	for _, r := range l.order {
		if _, _, _, pending, found := l.w.store.Peek(r.id); found && pending {
			return false
		}
	}
	return true
}

// admits reports whether the relay has a hot slot for an event of that type.
func (p *process) admits(kind string) (ok bool) {
	e := outbox.Event{ID: "probe", Type: kind, AggregateType: outbox.GlobalAggregate}
	since := p.now()
	p.step(func(c *core.Core) {
		ok = c.Hot.Admit(since, []outbox.Event{e}, []core.Item{core.NewHot(&e, p.dests[kind])})
		c.Hot.Dropped([]outbox.Written{{Event: e, HeadStart: headStart, Since: since}})
	})
	return ok
}
