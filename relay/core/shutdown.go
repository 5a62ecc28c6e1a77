package core

// Drain makes the relay take nothing new.
func (c *Core) Drain() { c.mem.phase = max(c.mem.phase, Draining) }

// Stop makes the relay start nothing: it gives back what waits, and cancels
// what runs.
func (c *Core) Stop() {
	c.mem.phase = Stopping
	c.mem.unsettled.retryNow() // there is no time to lose
	c.mem.wake(SettleLoop | ApartLoop)
	for _, it := range c.mem.book.items { // nothing that is written after the next start may overtake them
		if it.state.waits() || it.state.runs() {
			c.Hot.left(it)
		}
	}
	c.mem.giveBackWaiting(func(*Item) bool { return true })
	c.Lone.stop()
	c.Confirms.stop()
	for _, it := range c.mem.book.items {
		if it.state == Running {
			c.Runs.cancel(it)
		}
	}
}

// Rest forgets everything, for the next start, except what it has left to the
// poller a moment ago. Runs that go on find their events unknown and change
// nothing.
func (c *Core) Rest() {
	c.Hot.rest()
	c.Runs.rest()
	c.Lanes.rest()
	c.mem.rest()
	c.mem.phase = Resting
}
