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
	found   bool // this pass found an event that was not tried
}

// maxTried bounds what a round remembers. A round that reaches it ends.
const maxTried = 100_000

func (r *round) note(it *Item) {
	if it.outcome.Kind == driver.Retry || it.outcome.Kind == driver.Release {
		r.tried[it.held.EventID] = true
	}
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
func (c *Core) BeginRound(now time.Time) { c.round = &round{began: now, tried: map[string]bool{}} }

// PollRound asks for lanes from their heads. It asks for nothing when the round
// is over: when a pass over all lanes has found nothing new.
func (c *Core) PollRound(now time.Time, fx *Effects) (p Polling) {
	c.begin(now, fx)
	defer c.end()
	r := c.round
	p.Age = max(now.Sub(r.began), 0)
	for len(p.Wants) == 0 {
		if len(r.pending) == 0 {
			if r.passes > 0 && !r.found || len(r.tried) >= maxTried {
				return p
			}
			r.pending, r.found = append(r.pending, c.poller.lanes...), false
			r.passes++
		}
		var ready []Want
		for _, l := range r.pending {
			if !l.shut() && l.room() > 0 && !l.away() {
				ready = append(ready, Want{Want: driver.Want{Lane: l.Name, Rows: min(l.poll.batch, l.room())}, lane: l, head: true})
				c.poller.activate(l)
			}
		}
		p.Wants = c.poller.share(now, ready)
		c.noteDepths(p)
		asked := lanesOf(p.Wants)
		r.pending = r.pending[:0]
		for _, w := range ready {
			if !asked[w.lane] { // it must wait for the others
				r.pending = append(r.pending, w.lane)
			}
		}
		if len(ready) == 0 && r.passes > 0 {
			return p
		}
	}
	return p
}
