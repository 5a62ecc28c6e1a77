package sim

import "github.com/sendoff-go/outbox/relay/core"

// excuse notes why an event may come twice, or late.
func (l *ledger) excuse(id, why string) {
	if r := l.events[id]; r.exempt == "" {
		r.exempt = why
	}
}

func (l *ledger) wasAway(id string) { l.events[id].away = true }

func (l *ledger) gaveUp(id string) {
	l.events[id].given++
	l.excuse(id, "its run was given up")
}

// cancelled is called when a relay ends the context of a run. That is no excuse if
// nothing has failed: a relay that renews its leases has no reason to, unless it seems
// to have slept.
func (l *ledger) cancelled(p *process, run *core.Run) {
	if l.calm() && !p.clock.forward && !p.stops && !p.now().After(run.Deadline) {
		return
	}
	for _, it := range run.Items {
		l.excuse(it.Held().EventID, "its run was cancelled")
	}
}

// leftToLeases is called when a relay has ended: what it could not settle in time comes
// again when its lease is over.
func (l *ledger) leftToLeases(p *process) {
	for _, r := range l.order {
		if h := l.holds[p][r.id]; h != nil && h.ended && r.given == 0 && l.w.plan.class <= Destinations {
			l.violated("what has run is settled before its relay ends", "%s by %s", r.id, p.name)
		}
		owner, _, no, pending, found := l.w.store.Peek(r.id)
		if found && pending && !r.first.IsZero() && (owner == p.owner || no == 0 && r.by == p) {
			l.excuse(r.id, "its relay ended before it was settled")
		}
	}
}

// untold notes that no relay hears of the end of a transaction.
func (l *ledger) untold(t *transaction) {
	for _, w := range t.written {
		l.events[w.Event.ID].by = nil
	}
}
