package core

import (
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// round is what one call of RunOnce remembers: when it began, since what becomes
// due later is for the next one, and the events that went back to the table,
// because it tries each once. Those that are done or dead do not come back.
type round struct {
	began   time.Time
	tried   map[string]bool
	pending []*Lane // to ask for in this pass over the lanes
	passes  int
	found   bool // this pass found an event that was not tried, or there may be one
	// fresh are the lanes of which the last claim found an event that was not tried.
	fresh map[string]bool
}

// maxTried bounds what a round remembers. A round that reaches it ends.
const maxTried = 100_000

func (r *round) note(it *Item) {
	if it.outcome.Kind == driver.Retry || it.outcome.Kind == driver.Release {
		r.tried[it.held.EventID] = true
	}
}

// has reports whether the round has tried an event.
func (r *round) has(id string) bool { return r != nil && r.tried[id] }

// looksAt notes what a claim has found.
func (r *round) looksAt(items []Item) {
	r.fresh = map[string]bool{}
	for i := range items {
		if !r.tried[items[i].held.EventID] {
			r.found, r.fresh[items[i].Event.Type] = true, true
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
	r.found = true
	return time.Millisecond
}

// goOn keeps the lanes whose tenants were not all asked for yet in the pass: a page
// of tenants that have nothing due does not end the round.
func (r *round) goOn(p Polling) {
	for _, d := range p.divided {
		if !d.last {
			r.pending = append(r.pending, d.want.lane)
		}
	}
}

// BeginRound begins a round, in which each event is tried once.
func (c *Claims) BeginRound() { c.beginRound() }

// roundWait is how long a round waits for room that it does not have.
const roundWait = 100 * time.Millisecond

// NextOfRound asks for lanes from their heads, or says how long to wait. It does
// neither when the round is over: when a pass over all lanes has found nothing new.
func (c *Claims) NextOfRound() (p Polling) {
	r := c.round
	p.Age = max(c.now.Sub(r.began), 0)
	for len(p.Wants) == 0 {
		if len(r.pending) == 0 {
			if r.passes > 0 && !r.found || len(r.tried) >= maxTried {
				return p
			}
			r.pending, r.found = append(r.pending, c.lanes.list...), false
			r.passes++
		}
		var ready []Want
		for _, l := range r.pending {
			if !l.shut() && l.room() > 0 && !l.away() {
				ready = append(ready, Want{Want: driver.Want{Lane: l.Name, Rows: min(l.poll.batch, l.room())}, lane: l, head: true})
				c.poller.activate(l)
			}
		}
		p.Wants = c.poller.share(c.now, ready)
		c.noteDepths(p)
		asked := lanesOf(p.Wants)
		r.pending = r.pending[:0]
		for _, w := range ready {
			if !asked[w.lane] { // it must wait for the others
				r.pending = append(r.pending, w.lane)
			}
		}
		if len(ready) > 0 && len(p.Wants) == 0 { // all lanes together hold too much: otherwise this would not end
			p.Wait = roundWait
			return p
		}
	}
	return p
}
