package core

import (
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Polling is what to do next: claim, or look which lanes have rows, or wait.
type Polling struct {
	Wants []Want
	// Look: too many idle lanes are due to be named one by one. Ask which have
	// rows, and answer with [Core.Looked].
	Look bool
	Wait time.Duration
}

// Want is what to claim of a lane, and where it is read from.
type Want struct {
	driver.Want
	lane *Lane
	head bool
}

// Poll says what is due, or how long to wait.
func (c *Core) Poll(now time.Time, fx *Effects) (p Polling) {
	c.begin(now, fx)
	defer c.end()
	switch {
	case c.phase != Working:
		return Polling{Wait: time.Hour}
	case c.load.unsettled >= c.cfg.MaxUnsettled:
		return Polling{Wait: 100 * time.Millisecond} // woken earlier when there is room
	}
	p = c.poller.next(now)
	c.noteDepths(p)
	return p
}

// noteDepths tells of the lanes that are claimed from.
func (c *Core) noteDepths(p Polling) {
	for _, w := range p.Wants {
		c.note(Note{Kind: NoteDepths, Lane: w.Lane, N: w.lane.coldWait, Hot: w.lane.hotWait})
	}
}

// ClaimFailed says that a claim got no answer, or a bad one. What is held is
// renewed before the next one.
func (c *Core) ClaimFailed(now time.Time, p Polling, fx *Effects) {
	c.begin(now, fx)
	defer c.end()
	for _, w := range p.Wants {
		c.poller.wake(w.lane)
	}
	c.poller.recovering = now
	c.wake(HoldLoop)
}

// Looked says which of the lanes have rows that are due.
func (c *Core) Looked(now time.Time, due []string, fx *Effects) {
	c.begin(now, fx)
	defer c.end()
	for _, name := range due {
		if l := c.lanes[name]; l != nil {
			c.wakeLane(l)
		}
	}
}

// Wake makes the poller look at once at the lanes of those types, or at all.
func (c *Core) Wake(now time.Time, types []string, fx *Effects) {
	c.begin(now, fx)
	defer c.end()
	for _, name := range types {
		if l := c.lanes[name]; l != nil {
			c.wakeLane(l)
		}
	}
	if len(types) == 0 {
		c.poller.wakeAll()
		c.wake(PollLoop)
	}
}

// wakeLane makes the poller look at a lane at once.
func (c *Core) wakeLane(l *Lane) {
	c.poller.wake(l)
	c.wake(PollLoop)
}

// wakeAt makes the poller look at a lane at that time.
func (c *Core) wakeAt(l *Lane, at time.Time) {
	if c.poller.wakeAt(l, at) {
		c.wake(PollLoop)
	}
}

// wakeFor makes the poller look when the event is due. A time that the caller
// gave is the database's; by this process's clock it is a hint like any other.
func (c *Core) wakeFor(l *Lane, e *outbox.Event) {
	switch {
	case e.DeliverAfter > 0:
		c.wakeAt(l, c.now.Add(e.DeliverAfter))
	case !e.AvailableAt.IsZero():
		c.wakeAt(l, e.AvailableAt)
	default:
		c.wakeLane(l)
	}
}
