package core

import "time"

// stuckDelay is how long the events behind a stuck run stay away, so that they
// take no room from others of their lane.
func (c *Core) stuckDelay() time.Duration { return c.cfg.Lease }

// enlist makes a new event ready, or puts it behind others of its key. An
// unconfirmed event keeps its place there, and later ones wait for it.
func (c *Core) enlist(it *Item) {
	if key := keyOf(it.Event); key.AggregateID != "" {
		it.line = c.lines.of(key)
	}
	switch {
	case it.line == nil && it.unconfirmed:
		c.toConfirm(it)
		return
	case it.line == nil:
		c.ready(it)
		return
	case it.line.isStuck():
		c.move(it, Lined)
		c.giveBack(it, c.stuckDelay())
		return
	}
	next, back := it.line.join(it)
	if back != nil && (back.state == Ready || back.state == Lapsed) {
		c.move(back, Lined)
	}
	switch {
	case it.unconfirmed:
		c.toConfirm(it)
	case next:
		c.ready(it)
	default:
		c.move(it, Lined)
	}
}

// resume lets an event go on after it was confirmed, taken or renewed.
func (c *Core) resume(it *Item) {
	switch {
	case it.line.isStuck():
		c.giveBack(it, c.stuckDelay())
	case it.line.goesFirst(it):
		c.readyFront(it)
	case it.state != Lined:
		c.move(it, Lined)
	}
}

// leave removes an event that no longer waits from its line.
func (c *Core) leave(it *Item) {
	if it.line.leave(it) {
		c.advance(it.line)
	}
}

// advance makes the next event of a line ready if none runs.
func (c *Core) advance(ln *line) {
	if next := ln.advance(); next != nil && next.state == Lined {
		c.ready(next)
	}
	if ln != nil && ln.empty() {
		delete(c.lines, ln.key)
	}
}
