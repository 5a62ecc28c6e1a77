package core

import (
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// unroutableDelay is how long a claimed row without a destination here waits,
// so that a relay that has one can take it.
const unroutableDelay = time.Minute

// decide turns the answer of a run into an outcome.
func (c *Core) decide(it *Item, a Answer) {
	it.lane.finished++
	it.lane.pace.add(c.now)
	c.poller.pace.add(c.now)
	b := it.Dest.breakerOrNil()
	// The relay ended its context, so the result says nothing about the event
	// or its destination.
	ended := a.Kind != Delivered && (it.state == Cancelled || c.phase == Stopping) && (a.Broken || a.Kind != Permanent)
	var t turn
	var guilty bool
	var aside time.Duration
	switch {
	case !ended && a.Kind == Unavailable:
		t, guilty, aside = b.unavailable(it, a.Inferred, c.now)
	case ended || a.Unasked:
		t = b.unasked(it)
	default:
		t = b.answered(it)
	}
	c.turned(b, t, a.Err)
	d := Decision{
		Item: it, Event: it.Event, Hot: it.Hot, Attempt: it.Attempts + 1, Err: a.Err, Took: a.Took, Waited: it.started.Sub(it.Since), Age: it.age(a.Took),
	}
	out := Outcome{Kind: driver.Release, Attempts: it.Attempts}
	switch {
	case a.Kind == Delivered:
		out.Kind = driver.Done
	case ended:
		d.Quiet = c.phase == Stopping
	case a.Kind == Unreadable:
		out.Kind, d.Attempt = driver.Dead, it.Attempts // nothing was tried
	case a.Kind == NotYet:
		out.Delay = a.Delay
	case a.Kind == NoRoute && c.cfg.Unroutable == UnroutableDead:
		out.Kind, d.Attempt = driver.Dead, it.Attempts
	case a.Kind == NoRoute && c.cfg.Unroutable == UnroutableWait:
		out.Delay = unroutableDelay
	case a.Kind == Unavailable && !guilty:
		out.Delay = max(a.Delay, aside)
	case a.Kind == Permanent, it.Attempts+1 >= it.lane.cfg.MaxAttempts:
		out.Kind, out.Attempts = driver.Dead, it.Attempts+1
	default:
		out.Kind, out.Attempts, out.Delay = driver.Retry, it.Attempts+1, a.Retry
	}
	d.Counted = out.Kind == driver.Retry || out.Kind == driver.Dead
	if d.Counted || out.Kind == driver.Release && a.Maybe {
		out.Reason = Reason{Class: a.Class, Text: a.Text, At: c.now, Took: a.Took, Maybe: a.Maybe}
	}
	d.Kind, d.Next = out.Kind, out.Delay
	c.conclude(it, out, d)
}

// conclude gives an event its outcome. If there are hooks to call, the outcome
// waits for them, so that those of one event are called in order.
func (c *Core) conclude(it *Item, out Outcome, d Decision) {
	it.outcome = out
	it.lane.tally.count(out.Kind, it.Hot, d.Age)
	told := !c.cfg.Tell || d.Quiet
	// A repetition that succeeds is logged.
	if !told || (d.Kind != driver.Done || d.Attempt > 1) && !d.Quiet {
		c.fx.Decided = append(c.fx.Decided, d)
	}
	if told {
		c.unsettle(it)
	} else {
		c.move(it, Decided)
	}
}

// Told reports that the hooks were called for these decisions.
func (c *Core) Told(now time.Time, ds []Decision, fx *Effects) {
	c.begin(now, fx)
	defer c.end()
	for i := range ds {
		if ds[i].Item.state == Decided {
			c.unsettle(ds[i].Item)
		}
	}
}

// giveBack frees an event that waits and will not run here.
func (c *Core) giveBack(it *Item, delay time.Duration) {
	it.outcome = Outcome{Kind: driver.Release, Attempts: it.Attempts, Delay: delay}
	c.unsettle(it)
	c.leave(it)
}

// giveBackWaiting frees every waiting event that match accepts, except those
// being taken, which follow after the answer, and those being confirmed, whose
// head start ends by itself.
func (c *Core) giveBackWaiting(match func(*Item) bool) {
	for _, it := range c.book.items {
		if it.state.waits() && it.state != Taking && it.state != Confirming && match(it) {
			c.giveBack(it, 0)
		}
	}
}

// drop forgets an event that waits: another relay has it, or will.
func (c *Core) drop(it *Item) {
	c.move(it, Gone)
	c.leave(it)
	c.forget(it)
}

// forget removes an event from memory, and admits a newer claim of its row.
func (c *Core) forget(it *Item) {
	it.Event = nil
	next := it.next
	it.next = nil
	if c.book.remove(it) && next != nil {
		c.enter(next)
	}
}
