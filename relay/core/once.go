package core

import (
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// round is what one call of RunOnce remembers: when it began, since what becomes
// due later is for the next one, and the events that went back to the table,
// because it tries each once. Those that are done or dead do not come back.
type round struct {
	began time.Time
	tried map[string]bool
	// left are the lanes that may have events that were not tried, least recently
	// claimed first; waits has the same ones. A lane is done when a claim of it has
	// found nothing new.
	left  []*Lane
	waits map[*Lane]bool
	lanes int // how many it knows of
	// back are events that were given back and are not tried yet: their lanes are
	// asked again when that is written.
	back map[*Item]bool
	// fresh are the lanes of which the last claim found an event that was not tried;
	// found are those of which a claim of this pass over their tenants did.
	fresh map[string]bool
	found map[*Lane]bool
}

func newRound(began time.Time) *round {
	return &round{began: began, tried: map[string]bool{}, waits: map[*Lane]bool{}, back: map[*Item]bool{}, found: map[*Lane]bool{}}
}

// maxTried bounds what a round remembers. A round that reaches it ends.
const maxTried = 100_000

func (r *round) note(it *Item) {
	switch {
	case it.outcome.Begins:
		r.back[it] = true
	case it.started.IsZero() && it.lane.shut(): // it may run when the lane goes on
		r.asksAgain(it.lane)
	case it.outcome.Kind == driver.Retry || it.outcome.Kind == driver.Release:
		r.tried[it.held.EventID] = true
	}
}

// written notes that the outcome of an event is written, or never will be.
func (r *round) written(it *Item) {
	if r != nil && r.back[it] {
		delete(r.back, it)
		r.asksAgain(it.lane)
	}
}

// gaveUp notes that an outcome is left unwritten: the event was tried, and comes back
// when its lease ends.
func (r *round) gaveUp(it *Item) {
	if r != nil && !it.outcome.Begins {
		r.tried[it.held.EventID] = true
	}
}

// has reports whether the round has tried an event.
func (r *round) has(id string) bool { return r != nil && r.tried[id] }

// asksAgain keeps a lane to claim from.
func (r *round) asksAgain(l *Lane) {
	if !r.waits[l] {
		r.waits[l] = true
		r.left = append(r.left, l)
	}
}

// asks notes that these lanes are in a claim.
func (r *round) asks(wants []Want) {
	asked := lanesOf(wants)
	r.left = slices.DeleteFunc(r.left, func(l *Lane) bool { return asked[l] })
	for l := range asked {
		delete(r.waits, l)
	}
}

// looksAt notes what a claim has found.
func (r *round) looksAt(items []Item, lanes *Lanes) {
	r.fresh = map[string]bool{}
	for i := range items {
		lane := items[i].Event.Type
		if r.fresh[lane] || r.tried[items[i].held.EventID] {
			continue
		}
		r.fresh[lane] = true
		if l := lanes.Named(lane); l != nil {
			r.found[l] = true
			r.asksAgain(l)
		}
	}
}

// putOff returns how long an event that was tried stays away. If a claim was full
// of such events, others may stand behind them in the table: long enough that they
// are not due before the round began, and make room.
func (r *round) putOff(l *Lane) time.Duration {
	if !l.poll.behind() || r.fresh[l.Name] {
		return 0
	}
	r.asksAgain(l)
	return time.Millisecond
}

// goOn keeps the lanes whose tenants were not all asked for yet, or of which this pass
// over the tenants found something: a page of tenants that have nothing due does not
// end the round.
func (r *round) goOn(p Polling) {
	for _, d := range p.divided {
		l := d.want.lane
		if !d.last || r.found[l] {
			r.asksAgain(l)
		}
		if d.last {
			delete(r.found, l)
		}
	}
}

// BeginRound begins a round, in which each event is tried once.
func (c *Claims) BeginRound() { c.beginRound() }

// roundWait is how long a round waits for what is in memory, unless it is woken.
const roundWait = 100 * time.Millisecond

// NextOfRound asks for lanes from their heads, or says how long to wait: for room, or
// for a destination that what is in memory may prove to be available. It does neither
// when the round is over: when no lane is left, and nothing in memory may go back to the
// table untried. A lane does not wait for another.
func (c *Claims) NextOfRound() (p Polling) {
	r := c.round
	p.Age = max(c.now.Sub(r.began), 0)
	for _, l := range c.lanes.list[r.lanes:] {
		r.asksAgain(l)
	}
	r.lanes = len(c.lanes.list)
	if len(r.tried) >= maxTried {
		return p
	}
	var ready []Want
	waits := c.load.cold > 0 || len(r.back) > 0
	for _, l := range r.left {
		if l.shut() || l.away() {
			continue
		}
		c.poller.activate(l)
		waits = true
		room, enough := c.poller.allowed(c.now, l)
		if room > 0 && c.poller.spare(l) > 0 && (room >= enough || !l.poll.again() || l.coldWait == 0) {
			ready = append(ready, Want{Want: driver.Want{Lane: l.Name, Rows: min(l.poll.batch, room)}, lane: l, head: true})
		}
	}
	p.Wants = c.poller.share(c.now, ready)
	c.noteDepths(p)
	r.asks(p.Wants)
	if len(p.Wants) == 0 && waits {
		p.Wait = roundWait
	}
	return p
}
