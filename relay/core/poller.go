package core

import (
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// poller decides which lanes to claim from, and how much.
type poller struct {
	*base
	lanes *Lanes
	load  *load
	// active are the lanes that have rows, or were woken, least recently
	// claimed first. The others are checked when idle comes.
	active []*Lane
	idle   time.Time
	// recovering is when a claim failed: until the leases held then are
	// renewed, nothing is claimed, so that the relay does not claim its own
	// events. Zero: no claim failed.
	recovering time.Time
	starved    bool // lanes had to wait for the limit of all lanes together

	pace   pace
	renews renewals
}

func newPoller(b *base, lanes *Lanes, load *load) *poller {
	return &poller{base: b, lanes: lanes, load: load, pace: newPace(b.cfg.Lease / 4)}
}

// start makes the poller check every lane, and forget an outage.
func (p *poller) start() {
	p.recovering = time.Time{}
	for _, l := range p.lanes.list {
		p.check(l)
	}
}

// failed notes that a claim got no answer.
func (p *poller) failed(asked Polling) {
	for _, w := range asked.Wants {
		p.check(w.lane)
	}
	p.recovering = p.now
}

// renewed notes that all leases are renewed that were held at that time.
func (p *poller) renewed(began time.Time) {
	if !p.recovering.IsZero() && !began.Before(p.recovering) {
		p.recovering = time.Time{}
		p.wake(PollLoop)
	}
}

// unsure reports whether a lease of that age may have been lost in an outage.
func (p *poller) unsure(from time.Time) bool {
	return !p.recovering.IsZero() && !from.After(p.recovering)
}

// activate adds a lane to those that may have rows.
func (p *poller) activate(l *Lane) {
	if l.poll.enter() {
		p.active = append(p.active, l)
	}
}

// check makes the poller check the lane as soon as possible.
func (p *poller) check(l *Lane) {
	l.poll.hurry()
	p.activate(l)
}

// checkAll makes the poller check every lane as soon as possible.
func (p *poller) checkAll() {
	for _, l := range p.lanes.list {
		l.poll.hurry()
	}
	p.idle = time.Time{}
}

// next returns what is due, or how long to wait.
func (p *poller) next(now time.Time) (out Polling) {
	if !p.recovering.IsZero() {
		if left := p.recovering.Add(p.cfg.Lease).Sub(now); left > 0 {
			return Polling{Wait: left}
		}
		p.recovering = time.Time{} // the leases are over: nothing is left to wait for
	}
	if !now.Before(p.idle) && p.wakeIdle(now) {
		return Polling{Look: true}
	}
	out.Wait = max(p.idle.Sub(now), 0)
	ready, wait := p.eligible(now)
	out.Wait = min(out.Wait, wait)
	out.Wants = p.share(now, ready)
	if p.starved { // a lane's patience ends
		out.Wait = min(out.Wait, patience)
	}
	return out
}

const (
	// maxWants bounds the lanes of one claim: each takes some of its time.
	maxWants = 256
	// maxIdle is how many idle lanes are named in a claim.
	maxIdle = 64
	// joining is the fraction of its interval by which an idle lane is claimed
	// early, so that lanes are claimed together.
	joining = 5
)

// wakeIdle activates the idle lanes that are due or soon will be. If they are
// too many, it returns true, and the relay must look which have rows.
func (p *poller) wakeIdle(now time.Time) (many bool) {
	var due []*Lane
	p.idle = now.Add(time.Hour)
	for _, l := range p.lanes.list {
		if l.poll.active || l.shut() || l.away() {
			continue
		}
		if at := l.poll.next.Add(-l.cfg.Interval / joining); at.After(now) {
			p.idle = minTime(p.idle, l.poll.next)
		} else {
			due = append(due, l)
		}
	}
	if len(due) > maxIdle {
		for _, l := range due {
			l.poll.schedule(now, l.cfg.Interval)
			p.idle = minTime(p.idle, l.poll.next)
		}
		return true
	}
	for _, l := range due {
		l.poll.hurry()
		p.activate(l)
	}
	return false
}

// eligible returns the active lanes that are due and have room, and how long to
// wait for the others.
func (p *poller) eligible(now time.Time) (ready []Want, wait time.Duration) {
	wait = time.Hour
	active := p.active[:0]
	for _, l := range p.active {
		pos := &l.poll
		if !pos.again() && now.Before(pos.next) { // idle from here on
			pos.leave()
			p.idle = minTime(p.idle, pos.next)
			wait = min(wait, pos.next.Sub(now))
			continue
		}
		active = append(active, l)
		room, enough := p.allowed(now, l)
		trial := l.trial()
		switch {
		case l.shut(), room <= 0, trial > 0 && l.queued.any(), l.away():
		case p.spare(l) <= 0, p.load.full(l, p.cfg.MaxUnsettled):
			wait = min(wait, 100*time.Millisecond)
		case pos.again() && room < enough:
		default:
			rows := min(pos.batch, room)
			if trial > 0 {
				rows = min(rows, trial)
			}
			ready = append(ready, Want{Want: driver.Want{Lane: l.Name, Rows: rows}, lane: l, head: pos.fromHead(now)})
		}
	}
	clear(p.active[len(active):])
	p.active = active
	return ready, wait
}

// learn adapts the batch and the position of each lane to what was found.
func learn(p Polling, items []Item, sent time.Time, took time.Duration) {
	found := make(map[string][]Item, len(p.Wants))
	for i := 0; i < len(items); {
		j := i
		for j < len(items) && items[j].Event.Type == items[i].Event.Type {
			j++
		}
		found[items[i].Event.Type] = items[i:j]
		i = j
	}
	for _, w := range p.Wants {
		if !w.ByTenant {
			w.lane.learn(w, found[w.Lane], sent, took)
		}
	}
	for _, d := range p.divided {
		d.learn(found[d.want.Lane], sent, took)
	}
}
