package core

import "time"

// Drain makes the relay take nothing new.
func (c *Core) Drain() { c.phase = max(c.phase, Draining) }

// Stop makes the relay start nothing: it gives back what waits, and cancels
// what runs.
func (c *Core) Stop(now time.Time, fx *Effects) {
	c.begin(now, fx)
	defer c.end()
	c.phase = Stopping
	c.giveBackWaiting(func(*Item) bool { return true })
	for _, it := range c.confirms.items { // never looked up: their head start ends by itself
		if it.state == Confirming {
			c.drop(it)
		}
	}
	c.confirms = confirms{}
	for _, it := range c.book.items {
		if it.state == Running {
			c.cancel(it)
		}
	}
}

// Rest forgets everything, for the next start, except what it has left to the
// poller a moment ago: an event that is written after that start must not overtake
// it. Runs that go on find their events unknown and change nothing.
func (c *Core) Rest(now time.Time, fx *Effects) {
	c.begin(now, fx)
	defer c.end()
	for id, s := range c.slots.byID {
		c.slots.free(id, s.since)
	}
	c.slots, c.round, c.absent.byID = newSlots(&c.load), nil, nil
	for len(c.book.items) > 0 {
		it := c.book.items[len(c.book.items)-1]
		it.next = nil
		c.book.remove(it)
		if it.state.runs() && it.run != nil {
			c.move(it, Stuck)
			c.stuck[it.held.EventID] = it // so that it does not run twice at once
			c.loseWorker(it.run)
		} else {
			c.move(it, Gone)
		}
	}
	for _, l := range c.poller.lanes {
		l.hot, l.cold = rotation{fair: l.cfg.Fair}, rotation{fair: l.cfg.Fair}
		l.poll.again, l.poll.full, l.poll.due, l.poll.tenants = false, false, nil, tenants{}
	}
	clear(c.lines)
	for _, it := range c.stuck { // nor with others of its key
		if it.line != nil {
			it.line = c.lines.of(it.line.key)
			it.line.stuck++
		}
	}
	c.suspects, c.confirms, c.outcomes = suspects{}, confirms{}, outcomes{cfg: &c.cfg, took: c.outcomes.took}
	c.phase = Resting
}
