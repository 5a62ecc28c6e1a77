package core

import (
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Polling is what to do next: claim, or look which lanes have rows, or wait.
type Polling struct {
	Wants []Want
	// Look: too many idle lanes are due to name them one by one. Find out which
	// have rows, and call [Core.Looked].
	Look bool
	Wait time.Duration
	// Age is how long ago the rows must have become due: before the round began.
	Age time.Duration

	divided []*division
}

// Want is what to claim from a lane, and where to start reading.
type Want struct {
	driver.Want
	// Tenants, if positive, says that the want must be divided first: list at
	// most that many tenants of the lane after AfterTenant, and call
	// [Core.Divide].
	Tenants     int
	AfterTenant string

	lane *Lane
	head bool
}

// Poll returns what is due, or how long to wait.
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

// noteDepths notes the depths of the lanes in the claim.
func (c *Core) noteDepths(p Polling) {
	for _, w := range p.Wants {
		c.note(Note{Kind: NoteDepths, Lane: w.Lane, N: w.lane.coldWait, Hot: w.lane.hotWait})
	}
}

// ClaimFailed reports that a claim got no answer, or an error. Held leases are
// renewed before the next claim.
func (c *Core) ClaimFailed(now time.Time, p Polling, fx *Effects) {
	c.begin(now, fx)
	defer c.end()
	for _, w := range p.Wants {
		c.poller.wake(w.lane)
	}
	c.poller.recovering = now
	c.wake(HoldLoop)
}

// Looked reports which of the lanes have due rows.
func (c *Core) Looked(now time.Time, due []string, fx *Effects) {
	c.begin(now, fx)
	defer c.end()
	for _, name := range due {
		if l := c.lanes[name]; l != nil {
			c.wakeLane(l)
		}
	}
}

// Wake makes the poller check the lanes of those types at once, or all lanes if
// none are given.
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

// wakeLane makes the poller check a lane at once.
func (c *Core) wakeLane(l *Lane) {
	c.poller.wake(l)
	c.wake(PollLoop)
}

// wakeAt makes the poller check a lane at that time.
func (c *Core) wakeAt(l *Lane, at time.Time) {
	if c.poller.wakeAt(l, at) {
		c.wake(PollLoop)
	}
}

// wakeFor makes the poller check the lane when the event is due. AvailableAt is
// by the database's clock; by that of this process it is only a hint, which must
// not become wrong by hours if somebody sets that clock.
func (c *Core) wakeFor(l *Lane, e *outbox.Event) {
	switch {
	case e.DeliverAfter > 0:
		c.wakeAt(l, c.now.Add(e.DeliverAfter))
	case !e.AvailableAt.IsZero():
		c.wakeAt(l, c.now.Add(e.AvailableAt.Sub(c.now)))
	default:
		c.wakeLane(l)
	}
}
