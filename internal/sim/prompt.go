package sim

import (
	"slices"
	"time"
)

// backAgain bounds how long an event waits for a destination that is back: the
// longest pause between two probes, a check in progress, and a margin.
const backAgain = 40 * time.Second

// back returns when the destination of a type last came back, or was resumed,
// before that time.
func (w *world) back(kind string, then time.Time) time.Time {
	last := w.start
	all := w.plan.away
	if kind == w.plan.paused {
		all = slices.Concat(all, w.plan.pauses)
	}
	for _, a := range all {
		if to := w.start.Add(a.to); to.After(last) && !to.After(then) {
			last = to
		}
	}
	return last
}

// prompt bounds how long an event of a healthy type may wait, whatever happens
// to the others: an interval, some runs before it, and a margin. Those of a quick
// type have no runs before them.
const (
	prompt = 45 * time.Second
	atOnce = 12 * time.Second
)

// inTime looks whether an event has waited for too long.
func (l *ledger) inTime(r *record) {
	if !l.calm() || r.exempt != "" {
		return
	}
	if r.away && l.w.plan.class == Destinations {
		if wait := r.done.Sub(l.w.back(r.kind, r.done)); wait > backAgain {
			l.violated("a destination that is back gets its events", "%s after %s", r.id, wait)
		}
	}
	bound := prompt
	switch r.kind {
	case "placed", "cancelled", "batched":
	case "quick":
		if bound = atOnce; r.key.AggregateID != "" { // it is behind one that takes long, which may have to begin again
			return
		}
	case "stuck":
		if l.w.plan.stuck == "" || r.key.AggregateID != "" { // it may be behind one that does not end
			return
		}
	default:
		return
	}
	free := later(r.committed, l.w.workedFrom(r.first))
	if r.kind == l.w.plan.paused {
		free = later(free, l.w.back(r.kind, r.first))
	}
	if wait := r.first.Sub(free); wait > bound {
		l.violated("no lane waits for another", "%s (%s) waited %s", r.id, r.kind, wait)
	}
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// worked notes that a process takes events from now on, after none did.
func (w *world) worked() {
	for _, p := range w.processes {
		if p.takes() {
			return
		}
	}
	w.working = append(w.working, w.now)
}

// workedFrom returns since when a process has worked at that time.
func (w *world) workedFrom(then time.Time) (from time.Time) {
	for _, at := range w.working {
		if !at.After(then) {
			from = at
		}
	}
	return from
}
