package core

import (
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// enter takes an event into memory, or makes it follow an older copy of itself
// that this process still has.
func (c *Core) enter(it *Item) {
	id := it.held.EventID
	// This comes first: the outcome of a stuck run may still be unsettled, and
	// the book has room for one copy.
	if old := c.book.byID[id]; old != nil {
		c.follow(old, it)
		return
	}
	c.book.add(it)
	if c.stuck[id] != nil { // not here, but another relay may run it
		it.outcome = Outcome{Kind: driver.Release, Attempts: it.Attempts, Delay: c.stuckDelay()}
		c.unsettle(it)
		return
	}
	if it.lane.shut() || c.phase == Stopping { // since the claim was sent
		it.outcome = Outcome{Kind: driver.Release, Attempts: it.Attempts}
		c.unsettle(it)
		return
	}
	c.enlist(it)
}

// follow lets a newer claim of a row that is in memory replace the older one if
// that waits, or wait for its outcome.
func (c *Core) follow(old, it *Item) {
	if !old.state.waits() {
		old.next = it
		return
	}
	if old.held.Seq != it.held.Seq { // another row with the same id
		c.drop(old)
		c.enter(it)
		return
	}
	old.held, old.lease, old.Token = it.held, it.lease, it.Token
	old.Attempts, old.Recovered, old.LoneRuns, old.Failures = it.Attempts, it.Recovered, it.LoneRuns, it.Failures
	old.unconfirmed = false // the row exists
	switch old.state {
	case Confirming, Lapsed, Taking:
		if old.lane.shut() || c.phase == Stopping {
			c.giveBack(old, 0)
		} else {
			c.resume(old)
		}
	}
}

// adopt completes an item made from a claimed row.
func (c *Core) adopt(it *Item, sent time.Time) bool {
	l := c.lanes[it.Event.Type]
	if l == nil { // not asked for; its lease will end
		return false
	}
	it.lane = l
	it.lease = lease{from: sent, length: c.cfg.Lease}
	l.knows(it.Dest)
	return true
}

// knows adds a destination that was registered after the lane was made.
func (l *Lane) knows(d *Dest) {
	if d == nil {
		return
	}
	for _, known := range l.dests {
		if known == d {
			return
		}
	}
	l.dests = append(l.dests, d)
}

// Claimed reports the result of a claim and when it was sent.
func (c *Core) Claimed(now time.Time, p Polling, items []Item, sent time.Time, fx *Effects) {
	c.begin(now, fx)
	defer c.end()
	learn(p, items, sent, now.Sub(sent))
	if c.round != nil {
		c.round.goOn(p)
	}
	for i := range items {
		it := &items[i]
		if !c.adopt(it, sent) {
			continue
		}
		c.refusals.forget(it.held.EventID)
		if s, open := c.slots.byID[it.held.EventID]; open { // its slot is about to expire
			c.absent.expired(s)
		}
		c.absent.claimed(it.held.EventID, now)
		it.lane.poll.got++
		if it.Recovered > 0 {
			it.lane.poll.recovered++
		}
		switch {
		case c.phase > Working, c.round != nil && c.round.tried[it.held.EventID]:
			c.refuse(it)
		default:
			if c.round != nil {
				c.round.found = true
			}
			c.enter(it)
		}
	}
	for _, w := range p.Wants {
		pos := &w.lane.poll
		if pos.got > 0 {
			c.note(Note{Kind: NoteColdEnqueued, Lane: w.lane.Name, N: pos.got})
		}
		if pos.recovered > 0 {
			c.note(Note{Kind: NoteRecovered, Lane: w.lane.Name, N: pos.recovered})
		}
		pos.got, pos.recovered = 0, 0
	}
}

// refuse gives back a claimed row that must not run.
func (c *Core) refuse(it *Item) {
	if old := c.book.byID[it.held.EventID]; old != nil {
		c.follow(old, it)
		return
	}
	c.book.add(it)
	it.outcome = Outcome{Kind: driver.Release, Attempts: it.Attempts}
	c.unsettle(it)
}
