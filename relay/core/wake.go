package core

import (
	"slices"
	"time"

	"github.com/sendoff-go/outbox"
)

// wakeLane makes the poller look at a lane at once.
func (c *Core) wakeLane(l *Lane) {
	l.poll.next = time.Time{}
	c.poller.activate(l)
	c.wake(PollLoop)
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

// The bounds of what is remembered of a lane's future: of the times that do not
// fit, the latest are left to the interval.
const (
	maxDue   = 256
	dueGrain = 20 * time.Millisecond
)

// wakeAt makes the poller look at a lane at that time.
func (c *Core) wakeAt(l *Lane, at time.Time) {
	at = at.Truncate(dueGrain).Add(dueGrain) // those close together are one
	p := &l.poll
	i, found := slices.BinarySearchFunc(p.due, at, time.Time.Compare)
	if found || i == maxDue {
		return
	}
	if len(p.due) == maxDue {
		p.due = p.due[:maxDue-1]
	}
	p.due = slices.Insert(p.due, i, at)
	if at.Before(p.next) {
		p.next = at
		c.poller.idle = minTime(c.poller.idle, at)
		c.wake(PollLoop)
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
		for _, l := range c.all {
			l.poll.next = time.Time{}
		}
		c.poller.idle = time.Time{}
		c.wake(PollLoop)
	}
}
