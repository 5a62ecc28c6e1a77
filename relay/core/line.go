package core

import "time"

// line is the events of one key, in the order of seq. One runs, or is the next
// to run, and the others wait behind it. It exists while one of them is in
// memory and does not wait for its settle.
type line struct {
	key     Key
	lead    *Item // the next to run; nil while one runs
	running int   // one, or a batch of them
	stuck   int   // runs that go on although their events are settled
	behind  queue // by seq
}

// stuckDelay is how long the events behind a stuck run stay away, so that they
// take no room from others of their lane.
func (c *Core) stuckDelay() time.Duration { return c.cfg.Lease }

// enlist makes a new event ready, or puts it behind others of its key.
func (c *Core) enlist(it *Item) {
	key := Key{it.Event.AggregateType, it.Event.AggregateID}
	if key.AggregateID == "" {
		c.ready(it)
		return
	}
	ln := c.lines[key]
	if ln == nil {
		ln = &line{key: key}
		c.lines[key] = ln
	}
	it.line = ln
	switch {
	case ln.stuck > 0:
		c.move(it, Lined)
		c.giveBack(it, c.stuckDelay())
	case ln.lead == nil && ln.running == 0:
		ln.lead = it
		c.ready(it)
	case ln.lead != nil && it.held.Seq < ln.lead.held.Seq: // it was written first
		c.stepBack(ln)
		ln.lead = it
		c.ready(it)
	default:
		c.move(it, Lined)
		ln.behind.insert(it)
	}
}

// stepBack puts the next to run behind one that goes first.
func (c *Core) stepBack(ln *line) {
	it := ln.lead
	if it.state == Ready || it.state == Lapsed {
		c.move(it, Lined)
	}
	ln.lead = nil
	ln.behind.insert(it)
}

// resume lets an event go on that could not while it was confirmed, taken or
// renewed.
func (c *Core) resume(it *Item) {
	switch {
	case it.line != nil && it.line.stuck > 0:
		c.giveBack(it, c.stuckDelay())
	case it.line == nil || it.line.lead == it:
		c.readyFront(it)
	case it.state != Lined:
		c.move(it, Lined)
	}
}

// leave takes an event out of its line that waits no longer, and lets the next
// one come forward.
func (c *Core) leave(it *Item) {
	if ln := it.line; ln != nil && ln.lead == it {
		ln.lead = nil
		c.advance(ln)
	}
}

// start counts an event of the line as running.
func (ln *line) start(it *Item) {
	if ln == nil {
		return
	}
	if ln.lead == it {
		ln.lead = nil
	}
	ln.running++
}

// ran lets the next one come forward when all that ran have ended.
func (c *Core) ran(it *Item) {
	if ln := it.line; ln != nil {
		ln.running--
		c.advance(ln)
	}
}

// advance makes the next event of the line ready if none runs.
func (c *Core) advance(ln *line) {
	if ln.lead != nil || ln.running > 0 {
		return
	}
	it := ln.behind.pop(isWaiting)
	switch {
	case it == nil && ln.stuck == 0:
		delete(c.lines, ln.key)
	case it == nil:
	default:
		ln.lead = it
		if it.state == Lined {
			c.ready(it)
		}
	}
}

// getStuck keeps the key to a run that does not end. What waits behind it is
// given back: it may run elsewhere, and others take its room.
func (c *Core) getStuck(it *Item) {
	ln := it.line
	if ln == nil {
		return
	}
	ln.running--
	ln.stuck++
	for _, next := range ln.behind.items[ln.behind.head:] {
		if next.state == Lined { // one that is being taken follows after the answer
			c.giveBack(next, c.stuckDelay())
		}
	}
}

// unstick frees the key when such a run has ended after all.
func (c *Core) unstick(it *Item) {
	if ln := it.line; ln != nil {
		ln.stuck--
		c.advance(ln)
	}
}
