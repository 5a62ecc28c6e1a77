package core

import (
	"slices"
	"time"

	"github.com/sendoff-go/outbox"
)

// position is what the poller remembers of a lane.
type position struct {
	batch    int             // rows to ask for; grows while the lane is behind
	at       outbox.Position // where the lane was read up to
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

// poller is what it remembers of all lanes together.
type poller struct {
	// active are the lanes that have rows, or were woken, the one that was
	// named longest ago first. The others are looked at when idle has come.
	active []*Lane
	idle   time.Time
	// recovering is when a claim failed: until what was held then is renewed,
	// nothing is claimed, so that it is not claimed as somebody else's. Zero: no
	// claim failed.
	recovering time.Time
	starved    bool // lanes had to wait for the bound of all together

	pace   pace
	renews int // rows that can be renewed within a sixth of a lease; 0: unknown
	lease  time.Duration
}

func newPoller(lease time.Duration) poller { return poller{lease: lease, pace: newPace(lease / 4)} }

// unsure reports whether a lease of that age may have been lost in an outage.
func (p *poller) unsure(from time.Time) bool {
	return !p.recovering.IsZero() && !from.After(p.recovering)
}

// room is how many more events the lane takes from the poller. Events that wait
// for others of their key have room of their own, as much again: a slow run must
// not keep the lane from what it could run beside it.
func (l *Lane) room() int { return l.cfg.ColdQueue - l.coldWait + l.behind() }

func (l *Lane) behind() int { return min(l.lined, l.cfg.ColdQueue) }

// leastRows and mostRows bound what is asked for at once. Half of the queue is
// left, so that the next claim need not wait until the rows of this one run.
func (l *Lane) leastRows() int { return min(l.cfg.Batch, l.cfg.ColdQueue) }
func (l *Lane) mostRows() int  { return max(l.leastRows(), l.cfg.ColdQueue/2) }

// threshold is the room that is worth a claim while the lane is behind.
func (l *Lane) threshold() int { return max(1, min(l.poll.batch, l.cfg.ColdQueue/2)) }

// A process that ends soon after its start, again and again, must take little
// with it: what it had claimed waits for a lease each time, and is suspect after
// the third. So a lane holds one batch at first, and the more it has finished
// the more it holds.

// proven reports whether the lane has finished enough to fill its queue.
func (l *Lane) proven() bool { return l.finished >= l.cfg.ColdQueue }

// allowed is how many more events the lane takes from the poller, and how many
// are worth a claim.
func (l *Lane) allowed() (rows, enough int) {
	rows, enough = l.room(), l.threshold()
	if !l.proven() {
		rows = min(rows, l.cfg.Batch+2*l.finished-l.held+l.behind())
		enough = min(enough, max(l.cfg.Batch/2, 1))
	}
	return rows, enough
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
	return p.at == outbox.Position{} || since >= time.Second || (!p.full && since >= p.headEvery())
}

// Polling is what to do next: claim, or look which lanes have rows, or wait.
type Polling struct {
	Wants []Want
	// Look: too many idle lanes are due to be named one by one. Ask which have
	// rows, and answer with [Core.Looked].
	Look bool
	Wait time.Duration
}

// Want is what to claim of a lane, and where it is read from.
type Want struct {
	outbox.Want
	lane *Lane
	head bool
}

const (
	// maxWants bounds the lanes of one claim: each costs some of its time.
	maxWants = 256
	// maxIdle is how many idle lanes are named in a claim.
	maxIdle = 64
	// joining is the part of its interval by which an idle lane is asked for
	// early, so that lanes are asked for together.
	joining = 5
)

// Poll says what is due, or how long to wait.
func (c *Core) Poll(now time.Time, fx *Effects) Polling {
	c.begin(now, fx)
	defer c.end()
	p := &c.poller
	switch {
	case c.phase != Working:
		return Polling{Wait: time.Hour}
	case c.load.unsettled >= c.cfg.MaxUnsettled:
		return Polling{Wait: 100 * time.Millisecond} // woken earlier when there is room
	case !p.recovering.IsZero():
		if left := p.recovering.Add(c.cfg.Lease).Sub(now); left > 0 {
			return Polling{Wait: left}
		}
		p.recovering = time.Time{} // the leases are over: there is nothing left to wait for
	}
	var out Polling
	if !now.Before(p.idle) && c.wakeIdle() {
		out.Look = true
		return out
	}
	out.Wait = max(p.idle.Sub(now), 0)
	ready, wait := c.eligible()
	out.Wait = min(out.Wait, wait)
	out.Wants = c.share(ready)
	if p.starved { // a lane's patience ends
		out.Wait = min(out.Wait, patience)
	}
	return out
}

// activate counts a lane among those that may have rows.
func (p *poller) activate(l *Lane) {
	if !l.poll.active {
		l.poll.active = true
		p.active = append(p.active, l)
	}
}

// wakeIdle activates the idle lanes that are due, those included that will be
// soon. If they are many, it reports true, and they have to be looked for.
func (c *Core) wakeIdle() (many bool) {
	var due []*Lane
	c.poller.idle = c.now.Add(time.Hour)
	for _, l := range c.all {
		if l.poll.active || l.paused || l.away() {
			continue
		}
		if at := l.poll.next.Add(-l.cfg.Interval / joining); at.After(c.now) {
			c.poller.idle = minTime(c.poller.idle, l.poll.next)
		} else {
			due = append(due, l)
		}
	}
	if len(due) > maxIdle {
		for _, l := range due {
			l.poll.schedule(c.now, l.cfg.Interval)
			c.poller.idle = minTime(c.poller.idle, l.poll.next)
		}
		return true
	}
	for _, l := range due {
		l.poll.next = time.Time{}
		c.poller.activate(l)
	}
	return false
}

// eligible are the active lanes that are due and have room, and how long to
// wait for the others.
func (c *Core) eligible() (ready []Want, wait time.Duration) {
	wait = time.Hour
	active := c.poller.active[:0]
	for _, l := range c.poller.active {
		p := &l.poll
		if !p.again && c.now.Before(p.next) { // idle from here on
			p.active = false
			c.poller.idle = minTime(c.poller.idle, p.next)
			wait = min(wait, p.next.Sub(c.now))
			continue
		}
		active = append(active, l)
		room, enough := l.allowed()
		trial := l.trial()
		switch {
		case l.paused, room <= 0, trial > 0 && l.coldWait > 0, l.away():
		case c.spare(l) <= 0:
			wait = min(wait, 100*time.Millisecond)
		case p.again && room < enough:
		default:
			rows := min(p.batch, room)
			if trial > 0 {
				rows = min(rows, trial)
			}
			ready = append(ready, Want{Want: outbox.Want{Lane: l.Name, Rows: rows}, lane: l, head: p.fromHead(c.now)})
		}
	}
	clear(c.poller.active[len(active):])
	c.poller.active = active
	return ready, wait
}

// away says whether all that the lane's events could go to is away.
func (l *Lane) away() bool {
	for _, d := range l.dests {
		if b := d.breaker; !b.opened() && !(b.trying() && b.busy) {
			return false
		}
	}
	return len(l.dests) > 0
}

// trial is how many events at most to claim while a destination is half open;
// 0: no bound.
func (l *Lane) trial() (n int) {
	for _, d := range l.dests {
		if d.breaker.trying() {
			n = max(n, d.breaker.ration())
		}
	}
	return n
}

// ClaimFailed says that a claim got no answer, or a bad one. What is held is
// renewed before the next one.
func (c *Core) ClaimFailed(now time.Time, p Polling, fx *Effects) {
	c.begin(now, fx)
	defer c.end()
	for _, w := range p.Wants {
		w.lane.poll.next = time.Time{}
		c.poller.activate(w.lane)
	}
	c.poller.recovering = now
	c.wake(HoldLoop)
}

// Looked says which of the lanes have rows that are due.
func (c *Core) Looked(now time.Time, due []string, fx *Effects) {
	c.begin(now, fx)
	defer c.end()
	for _, name := range due {
		if l := c.lanes[name]; l != nil {
			c.wakeLane(l)
		}
	}
}

// learn adapts the batch and the position of each lane to what was found.
func (c *Core) learn(p Polling, items []Item, sent time.Time, took time.Duration) {
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
		w.lane.learn(w, found[w.Lane], sent, took)
	}
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

func after(a, b outbox.Position) bool {
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

func minTime(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
