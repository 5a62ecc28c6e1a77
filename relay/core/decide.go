package core

import (
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// Decisions turn answers into outcomes.
type Decisions struct {
	*memory
	dests *Dests
}

// unroutableDelay is how long a claimed row without a destination here waits,
// so that a relay that has one can take it.
const unroutableDelay = time.Minute

// unroutable is that delay for an event, and a little more each time: relays look at
// intervals of which a minute is a multiple, and the same one would always come first.
func (it *Item) unroutable() time.Duration {
	return unroutableDelay + time.Duration((7*it.held.Seq+31*it.held.ClaimNo)%100)*100*time.Millisecond
}

// leastPause is how long an event stays away at least that asks to be tried later
// without saying when: claiming it again at once, and again, would keep the
// database busy.
const leastPause = 100 * time.Millisecond

// decide turns the answer of a run into an outcome. Partly: the destination was
// unavailable for an event of the run.
func (ds *Decisions) decide(it *Item, a Answer, partly bool) {
	it.lane.work.finish(ds.now)
	ds.poller.pace.add(ds.now)
	ended := ds.ended(it, a)
	guilty, aside := ds.dests.answered(it, a, ended, partly)
	d := Decision{
		Item: it, Event: it.Event, Hot: it.Hot, Attempt: it.Attempts + 1, Err: a.Err, Took: a.Took, Waited: it.started.Sub(it.Since), Age: it.age(a.Took),
		Quiet: ended && ds.phase == Stopping,
	}
	out := Outcome{Kind: driver.Release, Attempts: it.Attempts}
	switch {
	case a.Kind == Delivered:
		out.Kind = driver.Done
	case ended:
	case a.Kind == Unreadable:
		out.Kind, d.Attempt = driver.Dead, it.Attempts // nothing was tried
	case a.Kind == NotYet:
		out.Delay = max(a.Delay, leastPause)
	case a.Kind == NoRoute && ds.cfg.Unroutable == UnroutableDead:
		out.Kind, d.Attempt = driver.Dead, it.Attempts
	case a.Kind == NoRoute && ds.cfg.Unroutable == UnroutableWait:
		out.Delay = it.unroutable()
	case a.Kind == Unavailable && it.Dest == nil: // an interceptor said so, and no breaker keeps others away
		out.Delay = max(a.Delay, it.unroutable())
	case a.Kind == Unavailable && !guilty:
		out.Delay = max(a.Delay, aside)
	case a.Kind == Permanent, it.Attempts+1 >= it.lane.cfg.MaxAttempts:
		out.Kind, out.Attempts = driver.Dead, it.Attempts+1
	default:
		out.Kind, out.Attempts, out.Delay = driver.Retry, it.Attempts+1, a.Retry
	}
	d.Counted = out.Kind == driver.Retry || out.Kind == driver.Dead
	if d.Counted || out.Kind == driver.Release && a.Maybe {
		out.Reason = Reason{Class: a.Class, Text: a.Text, At: ds.now, Took: a.Took, Maybe: a.Maybe}
	}
	d.Kind, d.Next = out.Kind, out.Delay
	ds.conclude(it, out, d)
}

// ended reports whether the relay has ended the context of the run, so that the
// answer says nothing about the event or its destination.
func (ds *Decisions) ended(it *Item, a Answer) bool {
	return a.Kind != Delivered && (it.state == Cancelled || ds.phase == Stopping) && (a.Broken || a.Kind != Permanent)
}

// conclude gives an event its outcome. If there are hooks to call, the outcome
// waits for them, so that those of one event are called in order.
func (ds *Decisions) conclude(it *Item, out Outcome, d Decision) {
	it.outcome = out
	it.lane.tally.count(out.Kind, it.Hot, d.Age)
	told := !ds.cfg.Tell || d.Quiet
	// A repetition that succeeds is logged.
	if !told || (d.Kind != driver.Done || d.Attempt > 1) && !d.Quiet {
		ds.fx.Decided = append(ds.fx.Decided, d)
	}
	if told {
		ds.unsettle(it)
	} else {
		ds.move(it, Decided)
	}
}

// Told reports that the hooks were called for these decisions.
func (ds *Decisions) Told(decided []Decision) {
	for i := range decided {
		if it := decided[i].Item; it.state == Decided {
			ds.unsettle(it)
		}
	}
}
