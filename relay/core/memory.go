package core

import (
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// memory is every event that the relay holds, and where each waits for what
// comes next. It moves events from state to state; the parts of the core decide
// which.
type memory struct {
	*base
	lanes  *Lanes
	poller *poller

	book  book
	lines lines
	load  load
	stuck stuckRuns
	round *round // of RunOnce; nil: none

	stalled stalled

	// Where events wait, apart from the queues of their lanes.
	lookups   lookups   // for their rows to be looked up
	suspects  suspects  // to run alone
	unsettled unsettled // for their outcomes to be written
}

func newMemory(b *base) *memory {
	m := &memory{base: b, book: newBook(), lines: lines{}, stuck: stuckRuns{}, unsettled: unsettled{cfg: &b.cfg}}
	m.lanes, m.poller = newLanes(b, &m.load)
	return m
}

// giveBack frees an event that waits and will not run here.
func (m *memory) giveBack(it *Item, delay time.Duration) {
	it.outcome = Outcome{Kind: driver.Release, Attempts: it.Attempts, Delay: delay}
	m.unsettle(it)
	m.leave(it)
}

// giveBackWaiting frees every waiting event that match accepts, except those
// being taken, which follow after the answer, and those being confirmed, whose
// head start ends by itself. What waited behind those may start.
func (m *memory) giveBackWaiting(match func(*Item) bool) {
	for _, it := range m.book.items {
		if it.state.waits() && it.state != Taking && it.state != Confirming && match(it) {
			m.giveBack(it, 0)
		}
	}
	m.lanes.touchAll()
}

// unsettle hands an event to the settle loop. The payload is no longer needed,
// unless dead events are kept.
func (m *memory) unsettle(it *Item) {
	if !m.move(it, Unsettled) {
		return
	}
	if it.outcome.Kind != driver.Dead || !m.cfg.KeepDead {
		it.Event = nil
		m.load.weigh(it.lane, -it.size)
		it.size = 0
	}
	if m.round != nil {
		m.round.note(it)
	}
	m.wake(m.unsettled.add(it, m.now))
}

// settled forgets an event whose outcome is written, or will not be.
func (m *memory) settled(it *Item) {
	m.move(it, Gone)
	m.round.written(it)
	m.forget(it)
	m.suspects.end(it)
}

// drop forgets an event that waits: another relay has it, or will.
func (m *memory) drop(it *Item) {
	m.move(it, Gone)
	m.leave(it)
	m.forget(it)
}

// forget removes an event from memory, and admits a newer claim of its row.
func (m *memory) forget(it *Item) {
	it.Event = nil
	next := it.next
	it.next = nil
	if m.book.remove(it) && next != nil {
		m.enter(next)
	}
}

func (m *memory) beginRound() { m.round = newRound(m.now) }

// rest forgets what waits, once the book is empty.
func (m *memory) rest() {
	m.lines = lines{}
	m.stuck.hold(m.lines)
	m.round, m.suspects, m.lookups = nil, suspects{}, lookups{}
	m.unsettled = unsettled{cfg: &m.cfg, took: m.unsettled.took, counts: m.unsettled.counts}
}
