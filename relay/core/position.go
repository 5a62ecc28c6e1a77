package core

import (
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// position is what the poller remembers about a lane.
type position struct {
	batch    int             // rows to ask for; grows while the lane is behind
	at       driver.Position // up to where the lane was read
	next     time.Time       // when to ask again unless woken
	found    haul            // by the last claim
	lastHead time.Time       // when the lane was last read from the head
	headCost time.Duration   // how long that took
	tailCost time.Duration   // how long the last claim from at took
	due      []time.Time     // when rows that were put off here are due, earliest first
	avgSize  int             // of the rows found recently
	active   bool            // one of the poller's active lanes
	served   time.Time       // when it was last in a claim
	tenants  tenants         // how far each was read, and whose turn it is

	got, recovered int // of the claim in learn
}

// haul is how much a claim found.
type haul uint8

const (
	haulNone haul = iota
	haulSome      // there may be more at once
	haulFull      // all it asked for: the lane is behind
)

// start sets how much to ask for first.
func (p *position) start(batch int) { p.batch = batch }

// enter makes the lane one of the poller's active lanes, and leave ends that. enter
// reports false if it was one.
func (p *position) enter() bool {
	was := p.active
	p.active = true
	return !was
}

func (p *position) leave() { p.active = false }

// hurry makes the lane due at once, and sooner at that time at the latest.
func (p *position) hurry()              { p.next = time.Time{} }
func (p *position) sooner(at time.Time) { p.next = minTime(p.next, at) }

// serve notes that the lane is in a claim.
func (p *position) serve(now time.Time, interval time.Duration) {
	p.served = now
	p.schedule(now, interval) // a wake-up from now on counts
}

// gets counts a claimed event, and takeCounts returns how many there were, and how many
// of them had lost their owner.
func (p *position) gets(it *Item) {
	p.got++
	if it.Recovered > 0 {
		p.recovered++
	}
}

func (p *position) takeCounts() (got, recovered int) {
	got, recovered = p.got, p.recovered
	p.got, p.recovered = 0, 0
	return got, recovered
}

// sized learns the size of rows.
func (p *position) sized(bytes, rows int) {
	if rows > 0 {
		p.avgSize = (p.avgSize + bytes/rows + 1) / 2
	}
}

// finds notes how much was found, and adapts the next claim.
func (l *Lane) finds(found haul) {
	p := &l.poll
	if p.found = found; p.behind() {
		p.batch = min(2*p.batch, l.mostRows())
	} else {
		p.batch = max(p.batch/2, l.leastRows())
	}
}

// goesOn notes that not all tenants were asked yet.
func (p *position) goesOn() { p.found = haulFull }

// again reports whether to claim again at once.
func (p *position) again() bool { return p.found > haulNone }

// behind reports whether the lane had more rows than were asked for.
func (p *position) behind() bool { return p.found == haulFull }

// rest forgets how far the lane was read, for the next start.
func (p *position) rest() {
	p.found, p.due, p.tenants = haulNone, nil, tenants{whole: p.tenants.whole}
}

// headEvery bounds how often a lane is read from its head: at least once a
// second, and without limit if that costs little more than reading on.
func (p *position) headEvery() time.Duration {
	if p.headCost <= 3*p.tailCost {
		return 0
	}
	return min(10*p.headCost, time.Second)
}

// fromHead decides where to read on. Before the position are late commits,
// retries and expired claims, but while the lane drains mostly rows that are
// done or held, which may be many.
func (p *position) fromHead(now time.Time) bool {
	since := now.Sub(p.lastHead)
	return p.at == driver.Position{} || since >= time.Second || (!p.behind() && since >= p.headEvery())
}

func (l *Lane) learn(w Want, found []Item, sent time.Time, took time.Duration) {
	p, size := &l.poll, 0
	for i := range found {
		size += len(found[i].Event.Payload())
	}
	p.sized(size, len(found))
	switch {
	case len(found) == 0:
		l.finds(haulNone)
	case len(found) >= w.Rows || size+p.avgSize > w.Bytes:
		l.finds(haulFull)
	default:
		l.finds(haulSome)
	}
	if len(found) > 0 {
		if last := found[len(found)-1].Place; p.behind() || after(last, p.at) {
			p.at = last
		}
	}
	if w.head {
		p.lastHead, p.headCost = sent, took
	} else if p.tailCost = took; !p.again() { // nothing ahead: read from the head soon
		p.sooner(p.lastHead.Add(p.headEvery()))
	}
}

func after(a, b driver.Position) bool {
	return a.AvailableAt.After(b.AvailableAt) || (a.AvailableAt.Equal(b.AvailableAt) && a.Seq > b.Seq)
}

// schedule sets when to ask again: after the interval, or when a row that was
// put off is due.
func (p *position) schedule(now time.Time, interval time.Duration) {
	p.next = now.Add(interval)
	i := 0
	for i < len(p.due) && !p.due[i].After(now) {
		i++
	}
	p.due = slices.Delete(p.due, 0, i)
	if len(p.due) > 0 {
		p.next = minTime(p.next, p.due[0])
	}
}

// The limits of the due times that are kept for a lane: the latest of those
// that do not fit are left to the interval.
const (
	maxDue   = 256
	dueGrain = 20 * time.Millisecond
)

// dueAt remembers when a row that was put off is due. It reports whether that
// is earlier than the next poll.
func (p *position) dueAt(at time.Time) bool {
	i, _ := slices.BinarySearchFunc(p.due, at, time.Time.Compare)
	// Times close together become one. Unlike Truncate, Add keeps the monotonic
	// clock, which nobody can set back.
	at = at.Add(dueGrain)
	if i == maxDue || i < len(p.due) && !p.due[i].After(at) {
		return false
	}
	if len(p.due) == maxDue {
		p.due = p.due[:maxDue-1]
	}
	p.due = slices.Insert(p.due, i, at)
	if !at.Before(p.next) {
		return false
	}
	p.next = at
	return true
}

func minTime(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
