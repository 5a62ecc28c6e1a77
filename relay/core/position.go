package core

import (
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// position is what the poller remembers of a lane.
type position struct {
	batch    int             // rows to ask for; grows while the lane is behind
	at       driver.Position // where the lane was read up to
	next     time.Time       // when to ask again unless woken
	again    bool            // the last claim found rows
	full     bool            // the last claim found all it asked for
	lastHead time.Time       // when the lane was last read from the head
	headCost time.Duration   // how long that took
	tailCost time.Duration   // how long it took last to read on
	due      []time.Time     // when rows that were put off here are due, earliest first
	avgSize  int             // of the rows found lately
	active   bool            // is among the poller's active lanes
	served   time.Time       // when it was last named in a claim

	got, recovered int // of the claim that is being looked at
}

// headEvery bounds how often a lane is read from its head: at least once a
// second, and as often as one likes if that costs little more than reading on.
func (p *position) headEvery() time.Duration {
	if p.headCost <= 3*p.tailCost {
		return 0
	}
	return min(10*p.headCost, time.Second)
}

// fromHead decides where to read on. Behind the position lie late commits,
// retries and expired claims; before it, while the lane drains, only rows that
// are done or held, which may be many.
func (p *position) fromHead(now time.Time) bool {
	since := now.Sub(p.lastHead)
	return p.at == driver.Position{} || since >= time.Second || (!p.full && since >= p.headEvery())
}

func (l *Lane) learn(w Want, found []Item, sent time.Time, took time.Duration) {
	p, size := &l.poll, 0
	for i := range found {
		size += len(found[i].Event.Payload())
	}
	if len(found) > 0 {
		p.avgSize = (p.avgSize + size/len(found) + 1) / 2
	}
	p.again = len(found) > 0
	p.full = len(found) >= w.Rows || size+p.avgSize > w.Bytes
	if p.full {
		p.batch = min(2*p.batch, l.mostRows())
	} else {
		p.batch = max(p.batch/2, l.leastRows())
	}
	if len(found) > 0 {
		if last := found[len(found)-1].Place; p.full || after(last, p.at) {
			p.at = last
		}
	}
	if w.head {
		p.lastHead, p.headCost = sent, took
	} else if p.tailCost = took; !p.again { // nothing ahead: look behind soon
		p.next = minTime(p.next, p.lastHead.Add(p.headEvery()))
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

// The bounds of what is remembered of a lane's future: of the times that do not
// fit, the latest are left to the interval.
const (
	maxDue   = 256
	dueGrain = 20 * time.Millisecond
)

// dueAt remembers when a row that was put off is due. It reports whether that is
// earlier than what was to be done next.
func (p *position) dueAt(at time.Time) bool {
	at = at.Truncate(dueGrain).Add(dueGrain) // those close together are one
	i, found := slices.BinarySearchFunc(p.due, at, time.Time.Compare)
	if found || i == maxDue {
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
