package sim

import (
	"slices"
	"time"
)

// waitForLocks returns how long a statement waits that changes these rows: until
// other sessions have unlocked them, or until the store goes on without those that
// are still locked.
func (w *world) waitForLocks(ids []string) (wait time.Duration) {
	for _, id := range ids {
		if left := w.locked[id].Sub(w.now); left > wait {
			wait = min(left, w.plan.lockWait)
		}
	}
	return wait
}

// planLocks decides when other sessions lock rows. In class Locks they do so one
// after the other and for long, until many rows are locked at once: a statement that
// meets one waits, and a relay that meets many for the first time in a row cannot
// renew in time.
func (w *world) planLocks() {
	within := w.plan.faults
	switch w.plan.class {
	case Storm:
		for range 3 + w.rand.IntN(10) {
			w.after(w.between(0, within), func() { w.lockRow(w.between(100*time.Millisecond, 30*time.Second)) })
		}
	case Locks:
		longest := 20*time.Second + w.between(0, 50*time.Second)
		for at := w.between(0, 10*time.Second); at < within; at += w.between(2500*time.Millisecond, 6*time.Second) {
			w.after(at, func() { w.lockRow(longest - w.between(0, longest)) })
		}
	case Clean, Destinations, Outages, Crashes:
	}
}

// lockRow lets another session lock the row of an event: one that runs, if there is
// one, or one of the last.
func (w *world) lockRow(d time.Duration) {
	pending := func(r *record) bool {
		_, _, _, pending, found := w.store.Peek(r.id)
		return found && pending && !r.locked
	}
	var running []*record
	for _, r := range w.ledger.order {
		if !r.first.IsZero() && pending(r) {
			running = append(running, r)
		}
	}
	if last := w.ledger.order[max(len(w.ledger.order)-10, 0):]; len(running) == 0 || w.chance(0.3) {
		running = slices.DeleteFunc(slices.Clone(last), func(r *record) bool { return !pending(r) })
	}
	if len(running) == 0 {
		return
	}
	r := running[w.rand.IntN(len(running))]
	w.say("another session locks %s for %s", r.id, d)
	r.locked = true
	w.locked[r.id] = w.now.Add(d)
	w.ledger.excuse(r.id, "its row was locked")
	w.after(d, w.store.LockRow(r.id))
}
