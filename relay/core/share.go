package core

import (
	"slices"
	"time"

	"github.com/sendoff-go/outbox"
)

// Events of the poller are held by leases, and every lease must be renewed in
// time. So all lanes together hold no more than the relay delivers within a
// part of a lease, and share that fairly.

// leastHeld is how many events all lanes together may always hold.
const leastHeld = 2000

// limit is how many events of the poller may wait or run.
func (p *poller) limit(now time.Time) int {
	n := max(2*p.pace.count(now), leastHeld)
	if can := p.renews.known(now, p.cfg.Lease); can > 0 {
		n = min(n, max(can, leastHeld/10))
	}
	return min(n, p.cfg.MaxHeld)
}

// allowed is how many events the lane takes, and how many are worth a claim. If
// other lanes are active, no more wait than the lane itself delivers: otherwise
// slow lanes would fill the common limit, and a fast one would wait for them.
func (p *poller) allowed(now time.Time, l *Lane) (rows, enough int) {
	rows, enough = l.allowed()
	if len(p.active) > 1 {
		reach := max(2*l.work.pace.count(now), l.leastRows(), l.cfg.Workers)
		rows = min(rows, reach-l.coldWait+l.behind())
		enough = min(enough, max(reach/2, 1))
	}
	if l.cfg.Fair && now.Sub(l.poll.served) >= l.poll.tenants.turnTime() { // a tenant that has just arrived soon gets a claim
		enough = 1
	}
	return rows, enough
}

// patience is how long a lane waits for others before it may take a few events
// although there is no room: a lane must not depend on another one.
const patience = time.Second

// share gives the ready lanes what is left, least recently claimed first.
func (p *poller) share(now time.Time, ready []Want) []Want {
	p.starved = false
	if len(ready) == 0 {
		return nil
	}
	limit := p.limit(now)
	left := limit - p.load.cold
	if left < limit/4 && len(ready) > 1 { // many small claims would cost more
		left = 0
	}
	own := max(limit/len(p.active), 1)
	each := max(left/len(ready), 1)
	var wants []Want
	for _, w := range ready {
		l := w.lane
		switch {
		case len(wants) == maxWants:
			p.starved = true
			continue
		case left > 0:
			w.Rows = min(w.Rows, max(each, l.leastRows()), left)
			left -= w.Rows
		case now.Sub(l.poll.served) >= patience && l.held < min(own, l.leastRows()):
			w.Rows = min(w.Rows, min(own, l.leastRows())-l.held)
		default:
			p.starved = true
			continue
		}
		wants = append(wants, w)
	}
	p.serve(now, wants)
	return wants
}

// serve completes the wants, and puts their lanes behind the others.
func (p *poller) serve(now time.Time, wants []Want) {
	if len(wants) == 0 {
		return
	}
	for i := range wants {
		w := &wants[i]
		l, pos := w.lane, &w.lane.poll
		w.Bytes = max(min(p.spare(l), (p.cfg.MaxBytes-p.load.bytes)/len(wants)), p.ownBytes()-l.bytes, 1)
		if pos.avgSize > 0 { // rows that would not fit are not even read
			w.Rows = min(w.Rows, max(w.Bytes/pos.avgSize, 1))
		}
		if !w.head {
			w.After = pos.at
		}
		if l.cfg.Fair && pos.behind() && !now.Before(pos.tenants.whole) { // while the lane is not behind, a claim gets all there is
			w.Tenants, w.AfterTenant = max(min(tenantPage, maxWants/len(wants)), leastPage), pos.tenants.after
		}
		pos.serve(now, l.cfg.Interval)
	}
	if len(p.active) == 1 {
		return
	}
	asked := lanesOf(wants)
	p.active = slices.DeleteFunc(p.active, func(l *Lane) bool { return asked[l] })
	for _, w := range wants {
		p.active = append(p.active, w.lane)
	}
}

// lanesOf returns the set of lanes in wants.
func lanesOf(wants []Want) map[*Lane]bool {
	set := make(map[*Lane]bool, len(wants))
	for _, w := range wants {
		set[w.lane] = true
	}
	return set
}

// left reports whether to poll now that an event of the lane has made room for
// others.
func (p *poller) left(now time.Time, l *Lane) bool {
	switch {
	case p.starved:
		p.starved = p.load.cold > p.limit(now)*3/4
		return !p.starved
	case !l.poll.active || l.shut():
		return false
	}
	rows, enough := p.allowed(now, l)
	return rows >= enough || (rows > 0 && !l.poll.again())
}

// laneBytes is what a lane may hold while the others fill the memory, so that
// they do not keep it from its next event.
const laneBytes = 2 * outbox.MaxPayload

// spare is how many more payload bytes the lane may take: at most half of all,
// so that one lane cannot use up the memory of all.
func (p *poller) spare(l *Lane) int {
	return max(min(p.cfg.MaxBytes-p.load.bytes, p.cfg.MaxBytes/2-l.bytes), p.ownBytes()-l.bytes)
}

// ownBytes is what each lane may always hold; many lanes share it.
func (p *poller) ownBytes() int { return max(min(laneBytes, p.cfg.MaxBytes/max(len(p.active), 1)), 1) }
