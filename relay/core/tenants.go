package core

import (
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// A fair lane that is behind is claimed tenant by tenant. The relay lists the
// waiting tenants, a page at a time, and each gets its share of the claim: a small
// one about what it has, and the large ones equal parts of the rest. So a tenant
// waits for at most one claim for each page of tenants, whatever the others have
// written.

const (
	// tenantPage is how many tenants of a lane are listed at once: each makes the
	// claim slower. If there are many lanes, each lists fewer, but at least
	// leastPage.
	tenantPage, leastPage = 64, 8
	// turnTime is how long after a claim a fair lane is claimed from again as soon
	// as it has any room, not counting the time that claims take.
	turnTime = 50 * time.Millisecond
	// maxTenants bounds how many tenants of a lane are remembered. Remembering
	// them only saves time.
	maxTenants = 4096
)

// tenants is what the poller remembers about the tenants of a lane.
type tenants struct {
	after string // the last one listed; "": start with the first
	known map[string]*tenant
	round int // counts the passes over all tenants
	pass  pass
	// hungry is how many had as many rows as asked for in the last pass; 0: not
	// known.
	hungry int
	took   time.Duration // by the last claim
	whole  time.Time     // until then the lane is not divided: they could not be listed
}

// turnTime is longer where claims are slow: many small ones would cost too much.
func (ts *tenants) turnTime() time.Duration { return turnTime + 2*ts.took }

// claimWhole leaves the lane undivided for a while.
func (ts *tenants) claimWhole(until time.Time) { ts.whole = until }

// pass is what one pass over all tenants has found so far.
type pass struct {
	found   bool // there were rows
	hungry  int  // tenants that had as many rows as asked for
	skipped bool // left out tenants that had nothing a moment ago
}

// haul is what it has found.
func (p *pass) haul() haul {
	switch {
	case p.hungry > 0:
		return haulFull
	case p.found:
		return haulSome
	}
	return haulNone
}

// tenant is what the last claim found out about a tenant.
type tenant struct {
	at    driver.Position // up to where it was read
	head  time.Time       // when it was last read from the head
	asked time.Time       // when it was last in a claim
	full  bool            // it had as many rows as asked for
	found int             // how many rows it had
	vain  int             // claims in a row that found nothing
	round int             // the round in which it was last listed
}

// division is a want that was divided among tenants.
type division struct {
	want  Want
	parts []Want
	last  bool // it ends a pass over all tenants
}

// Divide replaces each want that must be divided with one want per tenant. lists
// has the tenants of each such want, in order.
func (c *Claims) Divide(p Polling, lists [][]driver.WaitingTenant) Polling {
	var wants []Want
	for _, w := range p.Wants {
		if w.Tenants <= 0 {
			wants = append(wants, w)
			continue
		}
		d := w.lane.divide(c.now, w, lists[0])
		lists = lists[1:]
		wants, p.divided = append(wants, d.parts...), append(p.divided, d)
	}
	p.Wants = wants
	return p
}

// divide makes a want for each tenant of a page that is due. After the last page it
// adds the rows without a tenant, and starts over.
func (l *Lane) divide(now time.Time, w Want, page []driver.WaitingTenant) *division {
	ts := &l.poll.tenants
	d := &division{want: w, last: len(page) < w.Tenants}
	var names []string
	for _, t := range page {
		if len(names) == w.Rows {
			d.last = false
			break
		}
		known := ts.known[t.Tenant]
		switch ts.after = t.Tenant; {
		case !t.Due:
		case known.hadNothing(now):
			ts.pass.skipped, known.round = true, ts.round
		default:
			names = append(names, t.Tenant)
		}
	}
	switch {
	case d.last && len(names) == w.Rows: // no room is left for the rows without a tenant: they are the next page
		d.last = false
	case d.last:
		if ts.after = ""; ts.known[""].hadNothing(now) {
			ts.pass.skipped, ts.known[""].round = true, ts.round
		} else {
			names = append(names, "")
		}
	}
	shares := ts.shares(w, names)
	for i, name := range names {
		part := w
		part.Tenants, part.AfterTenant = 0, ""
		part.ByTenant, part.Tenant, part.Rows = true, name, shares[i]
		part.Bytes = max(w.Bytes/w.Rows*part.Rows, 1)
		part.After, part.head = ts.of(name).from(now)
		d.parts = append(d.parts, part)
	}
	return d
}

// hadNothing reports whether a claim found nothing of the tenant a moment ago: its
// rows are held, and asking again and again would take the time of others.
func (t *tenant) hadNothing(now time.Time) bool {
	return t != nil && t.vain > 0 && now.Sub(t.asked) < turnTime<<min(t.vain-1, 3)
}

// of returns what is known about a tenant.
func (ts *tenants) of(name string) *tenant {
	t := ts.known[name]
	if t == nil {
		t = &tenant{full: true} // how much it has is not known yet
		if ts.known == nil {
			ts.known = map[string]*tenant{}
		}
		if len(ts.known) < maxTenants {
			ts.known[name] = t
		}
	}
	t.round = ts.round
	return t
}

// from returns where to read on: once a second from the head, as in a lane.
func (t *tenant) from(now time.Time) (after driver.Position, head bool) {
	if t.at == (driver.Position{}) || !t.full || now.Sub(t.head) >= time.Second {
		return driver.Position{}, true
	}
	return t.at, false
}

// shares divides the rows of a want. A tenant that had fewer rows than asked for
// gets little more than it had. All others get equal shares, no larger than those
// of the tenants on other pages, which wait as well.
func (ts *tenants) shares(w Want, names []string) []int {
	shares := make([]int, len(names))
	left, hungry := w.Rows, 0
	for i, name := range names {
		shares[i] = 1
		left--
		if ts.of(name).full {
			hungry++
		}
	}
	fair := max(w.Rows/max(len(names), 1), 1)
	for i, name := range names {
		if t := ts.of(name); !t.full {
			more := min(2*t.found, fair-1, left)
			shares[i] += more
			left -= more
		}
	}
	for i, name := range names {
		if !ts.of(name).full {
			continue
		}
		more := min((left+hungry-1)/hungry, ts.most(w)-1)
		shares[i] += more
		left -= more
		hungry--
	}
	return shares
}

// most returns the largest share that one tenant may get.
func (ts *tenants) most(w Want) int {
	switch {
	case ts.hungry > 0:
		return max(w.Rows/ts.hungry, 1)
	case w.AfterTenant != "":
		return max(w.Rows/w.Tenants, 1)
	}
	return w.Rows
}

// learn remembers what a divided claim found.
func (d *division) learn(found []Item, sent time.Time, took time.Duration) {
	pos := &d.want.lane.poll
	ts := &pos.tenants
	ts.took = took
	rows, bytes, last := map[string]int{}, map[string]int{}, map[string]driver.Position{}
	size := 0
	for i := range found {
		e := found[i].Event
		n := len(e.Payload())
		size += n
		rows[e.TenantID]++
		bytes[e.TenantID] += n
		last[e.TenantID] = found[i].Place
	}
	pos.sized(size, len(found))
	for _, part := range d.parts {
		t, n := ts.of(part.Tenant), rows[part.Tenant]
		t.full, t.found, t.asked = n >= part.Rows || n > 0 && bytes[part.Tenant]+pos.avgSize > part.Bytes, n, sent
		if part.head {
			t.head = sent
		}
		switch {
		case n > 0:
			t.vain, t.at = 0, last[part.Tenant]
		case part.Tenant != "" || t.vain == 0: // the tenant "" is never listed, so its wait stays short
			t.vain++
		}
		if t.full {
			ts.pass.hungry++
		}
	}
	ts.pass.found = ts.pass.found || len(found) > 0
	d.finish(sent)
}

// finish decides how to continue. After a pass over all tenants that left nothing
// behind, the lane is claimed as a whole again.
func (d *division) finish(now time.Time) {
	l := d.want.lane
	pos, ts := &l.poll, &l.poll.tenants
	if !d.last {
		pos.goesOn()
		return
	}
	if ts.pass.skipped {
		pos.sooner(now.Add(turnTime))
	}
	l.finds(ts.pass.haul())
	for name, t := range ts.known {
		if t.round != ts.round || !pos.behind() {
			delete(ts.known, name)
		}
	}
	ts.round++
	ts.hungry, ts.pass = ts.pass.hungry, pass{}
}
