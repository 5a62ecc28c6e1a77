package core

import "time"

// stuckDelay is how long the events behind a stuck run stay away, so that they
// take no room from others of their lane.
func (m *memory) stuckDelay() time.Duration { return m.cfg.Lease }

// enlist makes a new event ready, or puts it behind others of its key. One whose
// row must be looked up has its place there, and later ones wait for it.
func (m *memory) enlist(it *Item) {
	unsure := it.state == Unsure
	if key := keyOf(it.Event); key.AggregateID != "" {
		it.line = m.lines.of(key)
	}
	switch {
	case it.line == nil && unsure:
		m.toConfirm(it)
		return
	case it.line == nil:
		m.ready(it)
		return
	case it.line.isStuck():
		m.move(it, Lined)
		m.giveBack(it, m.stuckDelay())
		return
	}
	next, back := it.line.join(it)
	if back != nil && (back.state == Ready || back.state == Lapsed) {
		m.move(back, Lined)
	}
	switch {
	case unsure:
		m.toConfirm(it)
	case next:
		m.ready(it)
	default:
		m.move(it, Lined)
	}
}

// resume lets an event go on after it was confirmed, taken or renewed.
func (m *memory) resume(it *Item) {
	switch {
	case it.line.isStuck():
		m.giveBack(it, m.stuckDelay())
	case it.line.goesFirst(it):
		m.readyFront(it)
	case it.state != Lined:
		m.move(it, Lined)
	}
}

// leave removes an event that no longer waits from its line.
func (m *memory) leave(it *Item) {
	if it.line.leave(it) {
		m.advance(it.line)
	}
}

// advance makes the next event of a line ready if none runs.
func (m *memory) advance(ln *line) {
	if next := ln.advance(); next != nil && next.state == Lined {
		m.ready(next)
	}
	if ln != nil && ln.empty() {
		m.lines.drop(ln)
	}
}
