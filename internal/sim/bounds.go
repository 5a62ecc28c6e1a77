package sim

// bounds is called after each step of a relay.
func (l *ledger) bounds(p *process) {
	if n := p.core.Cold(); n > 2*maxHeld {
		l.violated("what the lanes hold together is bounded", "%s holds %d", p.name, n)
	}
}

// givenBack is how many events may have left the hot queue without a trace outside yet:
// that they are given back is not written, or they were only dropped.
const givenBack = 4

// admitted is called when a relay gives an event a hot slot, before that is written.
// Slots are for transactions that are open, until the head start is over, and for
// events that wait.
func (l *ledger) admitted(p *process, t *eventType) {
	n := 1
	for _, r := range l.order {
		if r.by != p || !r.admitted || r.kind != t.name || !r.first.IsZero() || l.w.now.Sub(r.wrote) > headStart {
			continue
		}
		_, _, no, pending, stored := l.w.store.Peek(r.id)
		if open := !r.tx.ended && !r.undone; open || stored && pending && no == 0 {
			n++
		}
	}
	if n > t.hotQueue+givenBack {
		l.violated("the hot queue is bounded", "%s has %d events of type %s", p.name, n, t.name)
	}
}
