package core

import (
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// Claims are the poller's questions and answers: what to claim, and what was
// claimed.
type Claims struct {
	*memory
	hot *Hot
}

// Polling is what to do next: claim, or look which lanes have rows, or wait.
type Polling struct {
	Wants []Want
	// Look: too many idle lanes are due to name them one by one. Find out which
	// have rows, and call [Claims.Looked].
	Look bool
	Wait time.Duration
	// Age is how long ago the rows must have become due: before the round began.
	Age time.Duration

	divided  []*division
	unlisted unlisted
}

// Want is what to claim from a lane, and where to start reading.
type Want struct {
	driver.Want
	// Tenants, if positive, says that the want must be divided first: list at
	// most that many tenants of the lane after AfterTenant, and call
	// [Claims.Divide].
	Tenants     int
	AfterTenant string

	lane *Lane
	head bool
}

// Next returns what is due, or how long to wait.
func (c *Claims) Next() (p Polling) {
	switch {
	case c.phase != Working:
		return Polling{Wait: time.Hour}
	}
	p = c.poller.next(c.now)
	c.noteDepths(p)
	return p
}

// noteDepths notes the depths of the lanes in the claim.
func (c *Claims) noteDepths(p Polling) {
	for _, w := range p.Wants {
		c.note(Note{Kind: NoteDepths, Lane: w.Lane, N: w.lane.coldWait, Hot: w.lane.hotWait})
	}
}

// Claimed reports the result of a claim and when it was sent.
func (c *Claims) Claimed(p Polling, items []Item, sent time.Time) {
	c.noteUnlisted(p.unlisted)
	learn(p, items, sent, c.now.Sub(sent))
	if c.round != nil {
		c.round.looksAt(items, c.lanes)
		c.round.goOn(p)
	}
	for i := range items {
		it := &items[i]
		if !c.adopt(it, sent) {
			continue
		}
		c.hot.claimed(it.held.EventID)
		it.lane.poll.gets(it)
		if c.phase > Working {
			c.hot.left(it)
			c.refuse(it)
		} else {
			c.enter(it)
		}
	}
	c.noteClaimed(p)
}

// adopt completes an item made from a claimed row.
func (c *Claims) adopt(it *Item, sent time.Time) bool {
	l := c.lanes.Named(it.Event.Type)
	if l == nil { // not asked for; its lease will end
		return false
	}
	it.lane = l
	it.hold(sent, c.cfg.Lease)
	l.knows(it.Dest)
	return true
}

// noteClaimed notes how many rows each lane got.
func (c *Claims) noteClaimed(p Polling) {
	for _, w := range p.Wants {
		got, recovered := w.lane.poll.takeCounts()
		if got > 0 {
			c.note(Note{Kind: NoteColdEnqueued, Lane: w.lane.Name, N: got})
		}
		if recovered > 0 {
			c.note(Note{Kind: NoteRecovered, Lane: w.lane.Name, N: recovered})
		}
	}
}

// Failed reports that a claim got no answer, or an error. Held leases are renewed
// before the next claim.
func (c *Claims) Failed(p Polling) {
	c.poller.failed(p)
	c.wake(HoldLoop)
}

// Looked reports which of the lanes have due rows.
func (c *Claims) Looked(due []string) {
	for _, name := range due {
		if l := c.lanes.Named(name); l != nil {
			c.poller.wakeLane(l)
		}
	}
}

// Wake makes the poller check the lanes of those types at once, or all lanes if
// none are given.
func (c *Claims) Wake(types []string) {
	if len(types) == 0 {
		c.poller.checkAll()
		c.wake(PollLoop)
		return
	}
	c.Looked(types)
}
