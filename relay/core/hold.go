package core

import (
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// Renewals are the leases to renew now. Each batch is one statement.
type Renewals struct {
	Batches [][]*Item
	// Locked are rows that another session had locked. They are separate
	// because the others must not wait for them.
	Locked []*Item
}

// stuckGrace is how long a run may go on after its context has ended before
// its event is settled without it.
const stuckGrace = time.Second

// DueLeases returns the events that have used a third of their lease or, after
// an outage, all that were held at its beginning. It ends runs that outlive
// their lease, and gives up those that ignore the end of their context.
func (c *Core) DueLeases(now time.Time, fx *Effects) Renewals {
	c.begin(now, fx)
	defer c.end()
	var due []*Item
	var r Renewals
	pick := func(it *Item) {
		switch {
		case !it.lease.due(now) && !(c.poller.unsure(it.lease.from) && it.held.ClaimNo > 0):
		case it.state == Settling && it.lease.left(now) > it.lease.length/3: // nearly always settled in time
		case it.lease.locked.IsZero():
			due = append(due, it)
		case it.lease.locked.Add(c.cfg.Lease / 3).Before(now):
			r.Locked = append(r.Locked, it)
		}
	}
	for _, it := range slices.Clone(c.book.items) {
		if it.state.runs() {
			c.watch(it)
		}
		switch {
		case it.state == Confirming || it.state == Taking || it.state == Gone:
		case it.state.waits() && it.held.ClaimNo == 0: // DueTakes claims it
		default:
			pick(it)
		}
		if it.next != nil {
			pick(it.next)
		}
	}
	for part := range slices.Chunk(due, c.cfg.SettleBatch) {
		r.Batches = append(r.Batches, part)
	}
	return r
}

// watch cancels or gives up a run that takes too long.
func (c *Core) watch(it *Item) {
	if it.state == Running && it.lease.left(c.now) <= 0 {
		c.cancel(it)
	}
	if run := it.run; run != nil && run.Items[0] == it && c.now.After(run.Deadline.Add(stuckGrace)) {
		c.fx.Cancel = append(c.fx.Cancel, run)
		c.fx.Overdue = append(c.fx.Overdue, run)
	}
}

// cancel ends the context of a run, which all of its events share.
func (c *Core) cancel(it *Item) {
	for _, other := range it.run.Items {
		if other.state == Running {
			c.move(other, Cancelled)
		}
	}
	c.fx.Cancel = append(c.fx.Cancel, it.run)
}

// GiveUp settles the events of a run that ignores the end of its context, with
// these answers. The run keeps its worker, and its events do not run again here
// before it has ended.
func (c *Core) GiveUp(now time.Time, run *Run, answers []Answer, fx *Effects) {
	c.begin(now, fx)
	defer c.end()
	goesOn := false
	for i, it := range run.Items {
		if !it.state.runs() { // it has just ended
			continue
		}
		goesOn = true
		c.note(Note{Kind: NoteStuck, Lane: it.lane.Name, EventID: it.held.EventID, N: 1, Wait: answers[i].Took})
		settle := *it // the run goes on with its own
		settle.line, settle.run = nil, nil
		c.book.remove(it)
		it.next = nil
		c.move(it, Stuck)
		c.stuck[it.held.EventID] = it
		c.load.count(&settle, settle.state, 1)
		c.book.add(&settle)
		if c.suspects.lone == it {
			c.suspects.lone = &settle
		}
		for _, behind := range it.line.getStuck() { // they may run elsewhere and make room for others
			c.giveBack(behind, c.stuckDelay())
		}
		c.decide(&settle, answers[i])
		if c.phase == Stopping && settle.outcome.Kind == driver.Release { // no other relay may run it while this run goes on
			settle.outcome.Delay = c.stuckDelay()
		}
	}
	if goesOn {
		c.loseWorker(run)
	}
}

// loseWorker counts a run that keeps its worker although its events are
// settled. When the lane has no worker left, its events are for other relays.
func (c *Core) loseWorker(run *Run) {
	l := run.lane
	if l == nil || run.abandoned {
		return
	}
	run.abandoned = true
	if l.stuck++; l.shut() {
		c.giveBackWaiting(func(it *Item) bool { return it.lane == l })
	}
}

// regainWorker notes that an abandoned run has ended.
func (c *Core) regainWorker(run *Run) {
	if run.abandoned {
		run.abandoned = false
		run.lane.stuck--
		c.wakeLane(run.lane)
	}
}

// Renewed reports the result of a renewal and when it was sent: which events
// were lost, and which another session has locked. A lost event is dropped if
// it waits, and cancelled if it runs; its outcome is still sent, and the fence
// decides.
func (c *Core) Renewed(now time.Time, items []*Item, held []driver.Held, sent time.Time, lost, locked []driver.Held, fx *Effects) {
	c.begin(now, fx)
	defer c.end()
	c.poller.renews.learn(now, c.cfg.Lease, len(items), now.Sub(sent))
	gone, kept := setOf(lost), setOf(locked)
	for i, it := range items {
		if it.held != held[i] || it.state == Gone { // has another claim now
			continue
		}
		switch {
		case gone[held[i]]:
			c.lost(it)
		case kept[held[i]]:
			it.lease.locked = sent
		default:
			it.lease = lease{from: sent, length: c.cfg.Lease}
			it.Token = 0 // the row has moved
			if it.state == Lapsed {
				c.resume(it)
			}
		}
	}
}

// lost drops an event that is no longer held, or cancels its run.
func (c *Core) lost(it *Item) {
	switch {
	case it.state == Fresh: // a newer claim that follows an older one
		if older := c.book.byID[it.held.EventID]; older != nil && older.next == it {
			older.next = nil
		}
	case it.state.waits():
		c.drop(it)
	case it.state == Running:
		c.cancel(it)
	}
}

// HoldDone reports whether all renewals of a round that began at that time were
// answered.
func (c *Core) HoldDone(now, began time.Time, answered bool, fx *Effects) {
	c.begin(now, fx)
	defer c.end()
	if p := &c.poller; answered && !p.recovering.IsZero() && !began.Before(p.recovering) {
		p.recovering = time.Time{}
		c.wake(PollLoop)
	}
}

// DueTakes returns hot events whose head start is nearly over. They are claimed
// by id; until the answer they do not run, since the claim changes their claim
// number and an outcome under the old one would have no effect.
func (c *Core) DueTakes(now time.Time) []*Item {
	var take []*Item
	for _, it := range c.book.items {
		if it.state.waits() && it.state != Confirming && it.held.ClaimNo == 0 &&
			it.lease.left(now) < c.cfg.Margin+it.lease.length/10 {
			if it.state != Taking {
				c.move(it, Taking)
			}
			take = append(take, it)
			if len(take) == c.cfg.SettleBatch {
				break
			}
		}
	}
	return take
}

// Taken reports which of the events are now claimed, and when the statement was
// sent. The others belong to another relay.
func (c *Core) Taken(now time.Time, items []*Item, sent time.Time, got []driver.Held, fx *Effects) {
	c.begin(now, fx)
	defer c.end()
	taken := make(map[string]driver.Held, len(got))
	for _, h := range got {
		taken[h.EventID] = h
	}
	for _, it := range items {
		if it.state != Taking || it.held.ClaimNo != 0 { // a newer claim came first
			continue
		}
		h, ok := taken[it.held.EventID]
		if !ok {
			c.drop(it)
			continue
		}
		it.held, it.lease = h, lease{from: sent, length: c.cfg.Lease}
		switch {
		case c.phase == Stopping || it.lane.shut() || it.Dest.breakerOrNil().shut():
			c.giveBack(it, 0)
		default:
			c.resume(it)
		}
	}
}
