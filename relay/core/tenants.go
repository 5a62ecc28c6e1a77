package core

import (
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// A fair lane that is behind is claimed tenant by tenant. The relay lists the
// tenants that wait, a page at a time, and each of them gets its share of the
// claim: what it is likely to have, and of the rest as much as the others. So a
// tenant waits for at most one claim for each page of tenants, whatever the
// others have written.

const (
	// tenantPage is how many tenants of a lane are listed at once: each takes some
	// of the time of a claim. Many lanes list fewer, but leastPage.
	tenantPage, leastPage = 64, 8
	// turnTime is how much work of a fair lane is worth a claim.
	turnTime = 50 * time.Millisecond
	// maxTenants bounds the tenants that are remembered of a lane. What is
	// remembered only saves time.
	maxTenants = 4096
)

// tenants is what the poller remembers about the tenants of a lane.
type tenants struct {
	after  string // up to where they were listed; "": from the first
	known  map[string]*tenant
	round  int  // counts the passes over all tenants
	found  bool // this pass found rows
	behind bool // this pass left some
}

// tenant is one of them, as the claim before found it.
type tenant struct {
	at    driver.Position // up to where it was read
	head  time.Time       // when it was last read from the head
	full  bool            // it had all that was asked for
	found int             // what it had, if not
	round int             // in which it was last listed
}

// division is a want that was divided among tenants.
type division struct {
	want  Want
	parts []Want
	last  bool // of a pass over all tenants
}

// Divide replaces the wants that are to be divided by one for each tenant. The
// lists have the tenants of each such want, in their order.
func (c *Core) Divide(now time.Time, p Polling, lists [][]driver.WaitingTenant) Polling {
	var wants []Want
	for _, w := range p.Wants {
		if w.Tenants <= 0 {
			wants = append(wants, w)
			continue
		}
		d := w.lane.divide(now, w, lists[0])
		lists = lists[1:]
		wants, p.divided = append(wants, d.parts...), append(p.divided, d)
	}
	p.Wants = wants
	return p
}

// divide makes the wants of those tenants of a page that are due. After the last
// page come the rows without a tenant, and it starts over.
func (l *Lane) divide(now time.Time, w Want, page []driver.WaitingTenant) *division {
	ts := &l.poll.tenants
	d := &division{want: w, last: len(page) < w.Tenants}
	var names []string
	for _, t := range page {
		if len(names) == w.Rows {
			d.last = false
			break
		}
		if ts.after = t.Tenant; t.Due {
			names = append(names, t.Tenant)
		}
	}
	switch {
	case d.last && len(names) < w.Rows:
		names, ts.after = append(names, ""), ""
	case d.last: // there is no room for them; the next page has none but these
		d.last = false
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

// of returns what is known of a tenant.
func (ts *tenants) of(name string) *tenant {
	t := ts.known[name]
	if t == nil {
		t = &tenant{full: true} // nobody knows how much it has
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

// from is where to read on: from the head once a second, as a lane is.
func (t *tenant) from(now time.Time) (after driver.Position, head bool) {
	if t.at == (driver.Position{}) || !t.full || now.Sub(t.head) >= time.Second {
		return driver.Position{}, true
	}
	return t.at, false
}

// shares divides the rows of a want. A tenant that had less than it was asked
// for gets little more than that, and all others the same. Those of a later page
// get no more than if it were full, since those of earlier ones wait as well.
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
		more := (left + hungry - 1) / hungry
		if w.AfterTenant != "" {
			more = min(more, w.Rows/w.Tenants)
		}
		shares[i] += more
		left -= more
		hungry--
	}
	return shares
}

// learn remembers what a divided claim found.
func (d *division) learn(found []Item, sent time.Time) {
	pos := &d.want.lane.poll
	ts := &pos.tenants
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
	if len(found) > 0 {
		pos.avgSize = (pos.avgSize + size/len(found) + 1) / 2
	}
	for _, part := range d.parts {
		t, n := ts.of(part.Tenant), rows[part.Tenant]
		t.full, t.found = n >= part.Rows || bytes[part.Tenant]+pos.avgSize > part.Bytes, n
		if part.head {
			t.head = sent
		}
		if n > 0 {
			t.at = last[part.Tenant]
		}
		ts.behind = ts.behind || t.full
	}
	ts.found = ts.found || len(found) > 0
	d.finish()
}

// finish decides how to go on. A pass over all tenants that left nothing is the
// last one: from then on the lane is claimed as a whole.
func (d *division) finish() {
	l := d.want.lane
	pos, ts := &l.poll, &l.poll.tenants
	if !d.last {
		pos.again, pos.full = true, true
		return
	}
	pos.again, pos.full = ts.found, ts.behind
	if pos.full {
		pos.batch = min(2*pos.batch, l.mostRows())
	} else {
		pos.batch = max(pos.batch/2, l.leastRows())
	}
	for name, t := range ts.known {
		if t.round != ts.round || !pos.full {
			delete(ts.known, name)
		}
	}
	ts.round++
	ts.found, ts.behind = false, false
}
