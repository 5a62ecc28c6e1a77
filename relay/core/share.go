package core

import (
	"slices"
	"time"
)

// What the poller has in memory is held by leases, and every lease has to be
// renewed in time. So all lanes together hold no more than the relay gets
// through within a part of a lease, and share that fairly.

// leastHeld is what all lanes together may hold in any case.
const leastHeld = 2000

// limit is how many events of the poller may wait or run.
func (p *poller) limit(now time.Time, most int) int {
	n := max(2*p.pace.count(now), leastHeld)
	if p.renews > 0 {
		n = min(n, max(p.renews, leastHeld/10))
	}
	return min(n, most)
}

// patience is how long a lane waits for others before it may take a little
// although there is no room: a lane must not wait for another one.
const patience = time.Second

// share gives the lanes that are ready what is left, those first that were
// named longest ago.
func (c *Core) share(ready []Want) []Want {
	c.poller.starved = false
	if len(ready) == 0 {
		return nil
	}
	limit := c.poller.limit(c.now, c.cfg.MaxHeld)
	left := limit - c.load.cold
	if left < limit/4 && len(ready) > 1 { // many small claims would cost more
		left = 0
	}
	own := max(limit/len(c.poller.active), 1)
	each := max(left/len(ready), 1)
	var wants []Want
	for _, w := range ready {
		l := w.lane
		switch {
		case len(wants) == maxWants:
			c.poller.starved = true
			continue
		case left > 0:
			w.Rows = min(w.Rows, max(each, l.leastRows()), left)
			left -= w.Rows
		case c.now.Sub(l.poll.served) >= patience && l.held < min(own, l.leastRows()):
			w.Rows = min(w.Rows, min(own, l.leastRows())-l.held)
		default:
			c.poller.starved = true
			continue
		}
		wants = append(wants, w)
	}
	c.serve(wants)
	return wants
}

// serve completes the wants, and puts their lanes behind the others.
func (c *Core) serve(wants []Want) {
	if len(wants) == 0 {
		return
	}
	for i := range wants {
		w := &wants[i]
		l, p := w.lane, &w.lane.poll
		own := min(laneBytes, c.cfg.MaxBytes/max(len(c.poller.active), 1)) - l.bytes
		w.Bytes = max(min(c.spare(l), (c.cfg.MaxBytes-c.load.bytes)/len(wants)), own, 1)
		if p.avgSize > 0 { // what would not fit is not even looked at
			w.Rows = min(w.Rows, max(w.Bytes/p.avgSize, 1))
		}
		if !w.head {
			w.After = p.at
		}
		p.served = c.now
		c.note(Note{Kind: NoteDepths, Lane: l.Name, N: l.coldWait, Hot: l.hotWait})
		p.schedule(c.now, l.cfg.Interval) // a wake-up from here on counts
	}
	if len(c.poller.active) == 1 {
		return
	}
	asked := lanesOf(wants)
	c.poller.active = slices.DeleteFunc(c.poller.active, func(l *Lane) bool { return asked[l] })
	for _, w := range wants {
		c.poller.active = append(c.poller.active, w.lane)
	}
}

// lanesOf is the set of lanes that are asked for.
func lanesOf(wants []Want) map[*Lane]bool {
	set := make(map[*Lane]bool, len(wants))
	for _, w := range wants {
		set[w.lane] = true
	}
	return set
}

// mayPoll wakes the poller when an event of the lane left room for others.
func (c *Core) mayPoll(l *Lane) {
	if c.poller.starved {
		if c.load.cold <= c.poller.limit(c.now, c.cfg.MaxHeld)*3/4 {
			c.poller.starved = false
			c.wake(PollLoop)
		}
		return
	}
	if l.poll.active && !l.paused {
		if rows, enough := l.allowed(); rows >= enough || (rows > 0 && !l.poll.again) {
			c.wake(PollLoop)
		}
	}
}

// renewed learns how many rows can be renewed in time.
func (p *poller) renewed(rows int, took time.Duration) {
	if rows < 100 || took <= 0 {
		return
	}
	can := int(float64(rows) * float64(p.lease/6) / float64(took))
	if p.renews == 0 {
		p.renews = can
	}
	p.renews = (3*p.renews + can) / 4
}

// pace counts what was finished lately.
type pace struct {
	width   time.Duration // of a part
	parts   [8]int
	current int64 // number of the latest part
}

func newPace(window time.Duration) pace { return pace{width: max(window/8, time.Millisecond)} }

// turn empties the parts that are over.
func (p *pace) turn(now time.Time) {
	n := now.UnixNano() / int64(p.width)
	for k := max(p.current+1, n-int64(len(p.parts))+1); k <= n; k++ {
		p.parts[k%int64(len(p.parts))] = 0
	}
	p.current = max(p.current, n)
}

func (p *pace) add(now time.Time) {
	p.turn(now)
	p.parts[p.current%int64(len(p.parts))]++
}

func (p *pace) count(now time.Time) (n int) {
	p.turn(now)
	for _, k := range p.parts {
		n += k
	}
	return n
}
