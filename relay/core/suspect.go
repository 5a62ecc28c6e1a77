package core

import (
	"fmt"
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// suspectAfter is the number of consecutive claims whose owners disappeared
// that makes an event a suspect; after as many lone runs that ended the same
// way, it is dead.
const suspectAfter = 3

func (it *Item) suspect() bool { return it.Recovered >= suspectAfter }

// loneRuns counts the attempts that were begun and never settled: a lone run
// writes its number beforehand, a settled failure is in the history.
func loneRuns(c *driver.Claimed) int {
	if c.Recovered < suspectAfter {
		return 0 // not a suspect
	}
	for _, f := range slices.Backward(driver.ParseFailures(c.Failures)) {
		if f.Attempt > 0 { // it was counted
			return c.Attempts - f.Attempt
		}
	}
	return c.Attempts
}

// unexplained reports whether there are attempts that are not in the history
// and were not lone runs, since each of those is followed by another claim:
// another program counted them, or the history cannot be read.
func (it *Item) unexplained() bool {
	return it.suspect() && it.LoneRuns > it.Recovered-suspectAfter
}

// suspects run alone, one after the other.
type suspects struct {
	queue queue
	lone  *Item // runs, or ran and is not settled
}

// dispatchSuspect runs the next suspect, if none runs or is unsettled: if it
// crashes the process, it is the only one whose attempt is counted without an
// answer.
func (c *Core) dispatchSuspect() {
	for c.suspects.lone == nil && (c.phase == Working || c.phase == Draining) {
		it := c.suspects.queue.pop(isReady)
		switch {
		case it == nil:
			return
		case !it.suspect(): // a newer claim has cleared it
			c.readyFront(it)
		case it.Dest.breakerOrNil().isPaused():
			c.giveBack(it, it.Dest.breaker.delay(c.now))
		case it.unexplained():
			c.beginHistory(it)
		case it.LoneRuns >= suspectAfter:
			c.condemn(it)
		default:
			c.beginHistories() // before a run that may end this process
			c.suspects.lone = it
			c.move(it, Proving)
			it.line.start(it)
			c.fx.Lone = it
		}
	}
}

// Proving reports whether the lone event's attempt may be written now. If its
// destination has been paused, the event is released instead. So it is while the
// relay stops, since its run would be cut short and the event blamed for it.
func (c *Core) Proving(now time.Time, it *Item, fx *Effects) bool {
	c.begin(now, fx)
	defer c.end()
	if it.state == Proving && (c.phase == Stopping || it.Dest.breakerOrNil().isPaused()) {
		it.line.unstart(it)
		c.giveBack(it, 0)
	}
	return it.state == Proving
}

// Proved reports the result of the statement that writes the lone event's
// attempt and renews its lease, and when it was sent. It returns the run, or
// nil if the event was lost or the statement failed, and must not run now.
func (c *Core) Proved(now time.Time, it *Item, sent time.Time, lost bool, err error, fx *Effects) *Run {
	c.begin(now, fx)
	defer c.end()
	if it.state != Proving { // the relay has stopped meanwhile
		return nil
	}
	if c.phase == Stopping && !lost { // giving it back takes the attempt back
		it.line.unstart(it)
		c.giveBack(it, 0)
		return nil
	}
	if err != nil || lost {
		c.endLone(it)
		it.line.unstart(it)
		if lost {
			c.drop(it)
		} else { // the database is unavailable: not before its lease is renewed
			c.move(it, Lapsed)
			c.wake(HoldLoop)
		}
		return nil
	}
	it.lease = lease{from: sent, length: c.cfg.Lease}
	it.Token = 0
	c.move(it, Running)
	run := it.newRun(now.Add(it.lane.cfg.Timeout))
	it.started, it.run = now, run
	if b := it.Dest.breakerOrNil(); b.tries() {
		it.trial, b.tried = true, now
	}
	return run
}

// PutOff reports that the lone event's destination is unavailable: the event is
// given back.
func (c *Core) PutOff(now time.Time, it *Item, err error, fx *Effects) {
	c.begin(now, fx)
	defer c.end()
	if it.state != Proving {
		return
	}
	b := it.Dest.breakerOrNil()
	if b != nil && !b.shut() && c.phase == Working {
		b.open(now)
		c.turned(b, wentAway, err)
	}
	var delay time.Duration
	if b != nil {
		delay = b.delay(now)
	}
	it.line.unstart(it)
	c.giveBack(it, delay)
}

// endLone lets the next suspect run.
func (c *Core) endLone(it *Item) {
	if c.suspects.lone == it {
		c.suspects.lone = nil
	}
}

// beginHistories calls beginHistory for the suspects that wait.
func (c *Core) beginHistories() {
	q := &c.suspects.queue
	for _, it := range q.items[q.head:] {
		if it.state == Ready && it.unexplained() {
			c.beginHistory(it)
		}
	}
}

// beginHistory gives the event back with its present number of attempts in the
// history, so that lone runs can be counted from there.
func (c *Core) beginHistory(it *Item) {
	it.outcome = Outcome{Kind: driver.Retry, Attempts: it.Attempts, Reason: Reason{
		Class: driver.ClassCrash, Text: "its relay disappeared three times; earlier attempts are not in the history", At: c.now,
	}}
	c.unsettle(it)
	c.leave(it)
}

// condemn gives up an event whose lone runs all ended with their process.
func (c *Core) condemn(it *Item) {
	err := fmt.Errorf("its relay disappeared during %d lone runs in a row: the event crashes or stalls the process", it.LoneRuns)
	out := Outcome{Kind: driver.Dead, Attempts: it.Attempts, Reason: Reason{Class: driver.ClassCrash, Text: err.Error(), At: c.now}}
	c.leave(it)
	c.conclude(it, out, Decision{Item: it, Event: it.Event, Kind: driver.Dead, Attempt: it.Attempts, Counted: true, Err: err})
}
