package core

import "github.com/sendoff-go/outbox/driver"

// enter takes an event into memory, or makes it follow an older copy of itself
// that this process still has.
func (m *memory) enter(it *Item) {
	id := it.held.EventID
	// This comes first: the outcome of a stuck run may still be unsettled, and
	// the book has room for one copy.
	if old := m.book.byID[id]; old != nil {
		m.follow(old, it)
		return
	}
	m.book.add(it)
	switch {
	case m.stuck.has(id): // not here, but another relay may run it
		it.outcome = Outcome{Kind: driver.Release, Attempts: it.Attempts, Delay: m.stuckDelay()}
		m.unsettle(it)
	case m.round.has(id):
		it.outcome = Outcome{Kind: driver.Release, Attempts: it.Attempts, Delay: m.round.putOff(it.lane), uncounted: true}
		m.unsettle(it)
		m.unsettled.uncount(driver.Release) // its outcome was counted when it was tried
	case it.lane.shut() || m.phase == Stopping: // since the claim was sent
		it.outcome = Outcome{Kind: driver.Release, Attempts: it.Attempts}
		m.unsettle(it)
	default:
		m.enlist(it)
	}
}

// follow lets a newer claim of a row that is in memory replace the older one if
// that waits, or wait for its outcome.
func (m *memory) follow(old, it *Item) {
	if !old.state.waits() {
		if old.next != nil {
			old.meanwhile.skips()
		}
		old.next = it
		return
	}
	if old.held.Seq != it.held.Seq { // another row with the same id
		m.drop(old)
		m.enter(it)
		return
	}
	was := old.suspect()
	m.load.count(old, old.state, -1) // it may become a suspect, or cease to be one
	old.claim = it.claim
	m.load.count(old, old.state, 1)
	switch old.state {
	case Ready:
		if was && !old.suspect() { // it need not wait for other suspects
			m.queueOf(old).push(old)
			m.touch(old.lane)
		}
	case Confirming, Lapsed, Taking:
		if old.lane.shut() || m.phase == Stopping {
			m.giveBack(old, 0)
		} else {
			m.resume(old)
		}
	}
}

// refuse gives back a row that is held and must not run.
func (m *memory) refuse(it *Item) {
	if old := m.book.byID[it.held.EventID]; old != nil {
		m.follow(old, it)
		return
	}
	m.book.add(it)
	it.outcome = Outcome{Kind: driver.Release, Attempts: it.Attempts}
	m.unsettle(it)
}
