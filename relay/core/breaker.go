package core

import "time"

// Dest is where events go. Several can share a breaker, by their name.
type Dest struct {
	Name    string
	Batches bool // it takes many events at once
	// Target is the caller's own.
	Target any

	breaker *Breaker
}

// AddDest adds a destination. Checks says that it can be probed without an
// event.
func (c *Core) AddDest(name string, batches, checks bool, target any) *Dest {
	b := c.named[name]
	if b == nil {
		b = &Breaker{Name: name, Target: target, checks: checks}
		c.named[name] = b
		c.breakers = append(c.breakers, b)
	}
	return &Dest{Name: name, Batches: batches, Target: target, breaker: b}
}

func (d *Dest) breakerOrNil() *Breaker {
	if d == nil {
		return nil
	}
	return d.breaker
}

// Breaker keeps events away from a destination that is away. A nil one is
// always closed.
type Breaker struct {
	Name   string
	Target any // of the first destination with it

	checks  bool
	state   breakerState
	wait    time.Duration
	next    time.Time // when to probe
	probing bool      // a check is under way
	trial   int       // events to run alone, one after the other, before it closes
	busy    bool      // one of them runs
	proved  bool      // one of them got an answer
	answers int       // that the destination gave so far
	last    string    // the event that it was last unavailable for
	strikes map[string]*strikes
}

type breakerState uint8

const (
	closed breakerState = iota
	open
	halfOpen
)

type admission uint8

const (
	admit admission = iota
	hold
	refuse
)

const (
	firstProbe = 500 * time.Millisecond
	lastProbe  = 15 * time.Second
	maxTrial   = 100
)

// admit says whether an event may run now.
func (b *Breaker) admit() admission {
	switch {
	case b == nil || b.state == closed:
		return admit
	case b.state == open:
		return refuse
	case b.busy:
		return hold
	}
	b.busy = true
	return admit
}

// ration is how many events to claim for a destination that is half open: one
// until it has answered, so that rows are not claimed and given back for
// nothing; or two, so that another can go before one with a strike.
func (b *Breaker) ration() int {
	switch {
	case b.proved:
		return b.trial
	case len(b.strikes) > 0:
		return 2
	}
	return 1
}

func (b *Breaker) trying() bool   { return b != nil && b.state == halfOpen }
func (b *Breaker) isClosed() bool { return b == nil || b.state == closed }
func (b *Breaker) opened() bool   { return b != nil && b.state == open }

// delay is how long a refused event stays away.
func (b *Breaker) delay(now time.Time) time.Duration { return max(b.next.Sub(now), 0) }

// answered notes that the destination gave an answer, good or bad, about an
// event, and is therefore there.
func (b *Breaker) answered(c *Core, it *Item) {
	if b == nil {
		return
	}
	b.answers++
	delete(b.strikes, it.held.EventID)
	if b.state == closed {
		return
	}
	b.busy, b.proved = false, true
	if b.trial--; b.trial > 0 && b.state == halfOpen {
		c.goOn(b)
		return
	}
	b.state, b.wait, b.trial = closed, 0, 0
	c.note(Note{Kind: NoteBack, Target: b.Name})
	c.goOn(b)
}

// unasked notes that an event ended before its destination could answer, which
// says nothing about it.
func (b *Breaker) unasked(c *Core) {
	if b.trying() {
		b.busy = false
		c.goOn(b)
	}
}

// unavailable notes that the destination was unavailable for the event, and
// reports whether that is the event's own failure, or else how long the event
// stays away.
func (b *Breaker) unavailable(c *Core, it *Item, err error) (guilty bool, aside time.Duration) {
	if b == nil {
		return false, 0
	}
	alone, again := b.state == halfOpen, b.last == it.held.EventID
	b.busy, b.last = false, it.held.EventID
	if b.state != closed {
		b.trial = min(max(b.trial, 1), maxTrial)
	}
	if b.state != open {
		wait := b.wait
		b.open(c, err)
		if alone && again { // it may be the event: others must not wait longer for that
			b.wait = max(wait, firstProbe)
			b.next = c.now.Add(b.wait)
		}
	} else {
		b.trial = min(b.trial+1, maxTrial) // others of the batch that failed
	}
	if !alone {
		return false, 0
	}
	return b.strike(c.now, it.held.EventID, again)
}

func (b *Breaker) open(c *Core, err error) {
	b.state, b.trial, b.proved = open, max(b.trial, 1), false
	b.wait = min(max(2*b.wait, firstProbe), lastProbe)
	b.next = c.now.Add(b.wait)
	c.note(Note{Kind: NoteAway, Target: b.Name, Err: err, Wait: b.wait})
	c.giveBackWaiting(func(it *Item) bool { return it.Dest.breakerOrNil() == b })
	c.wake(ProbeLoop)
}

// goOn starts and claims what had to wait for the breaker.
func (c *Core) goOn(b *Breaker) {
	for _, l := range c.poller.lanes {
		for _, d := range l.dests {
			if d.breaker == b {
				c.touch(l)
				c.wakeLane(l)
				break
			}
		}
	}
}
