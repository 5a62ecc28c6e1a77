package core

import "time"

// healed is how long everything may take to be delivered after the last fault: the
// longest wait is a minute, of an event that found no destination.
const healed = 2 * time.Minute

// heal ends the faults, and lets the relay work until nothing is left.
func (w *world) heal() {
	w.say("the faults are over")
	w.calm = true
	for len(w.writers.open) > 0 {
		w.writers.end()
	}
	w.pause()
	w.outages.heal()
	w.rounds.heal()
	for end := w.now.Add(healed); w.now.Before(end) && !w.over(); {
		tick := 400 * time.Millisecond
		if len(w.core.mem.book.items) == 0 { // what is left waits in the table
			tick = time.Second
		}
		w.now = w.now.Add(tick)
		w.work()
	}
	for _, r := range w.store.pending {
		w.violated("%s of %s is not delivered %s after the last fault: %+v", r.event.ID, r.event.Type, healed, *r)
	}
	w.checkEmpty()
}

// work lets each loop work once, and ends all that is under way.
func (w *world) work() {
	w.loops.claim()
	w.loops.take()
	w.loops.confirm()
	w.loops.probe()
	w.loops.hold()
	w.loops.expire()
	w.deliveries.prove()
	w.deliveries.giveUp()
	w.statements.answerAll(false)
	for len(w.deliveries.live) > 0 {
		w.deliveries.finishAny()
	}
	for len(w.loops.decided) > 0 {
		w.loops.tell()
	}
	for _, loop := range settleLoops {
		w.loops.settle(loop)
	}
	w.statements.answerAll(false)
}

func (w *world) over() bool {
	hot := w.core.Hot
	return len(w.store.pending) == 0 && len(w.core.mem.book.items) == 0 && len(hot.slots.byID) == 0 && len(hot.refusals.byID) == 0
}

// checkEmpty checks that nothing is left in memory.
func (w *world) checkEmpty() {
	m, hot := w.core.mem, w.core.Hot
	for _, it := range m.book.items {
		w.violated("%s is still %s", it.held.EventID, it.state)
	}
	if m.load != (load{}) || len(m.lines) > 0 || len(m.stuck) > 0 || m.suspects.lone != nil {
		w.violated("still in memory: %+v, %d lines, %d stuck runs, lone %v", m.load, len(m.lines), len(m.stuck), m.suspects.lone)
	}
	if u := &m.unsettled; len(u.fresh)+len(u.again)+len(u.apart) > 0 {
		w.violated("outcomes are still to be written: %+v", *u)
	}
	if len(hot.slots.byID)+len(hot.refusals.byID)+len(hot.refusals.keys) > 0 {
		w.violated("slots %v, refusals %v of keys %v are left", hot.slots.byID, hot.refusals.byID, hot.refusals.keys)
	}
}
