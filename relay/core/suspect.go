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
	sent  bool  // the statement with its attempt
}

// alone lets one run.
func (s *suspects) alone(it *Item) { s.lone, s.sent = it, false }

// sends notes that its attempt is being written.
func (s *suspects) sends() { s.sent = true }

// end lets the next suspect run.
func (s *suspects) end(it *Item) {
	if s.lone == it {
		s.lone = nil
	}
}

// replace lets the copy of an event stand for it.
func (s *suspects) replace(it, with *Item) {
	if s.lone == it {
		s.lone = with
	}
}

// Lone runs suspects.
type Lone struct {
	*memory
	dests     *Dests
	decisions *Decisions
}

// next runs the next suspect, if none runs or is unsettled: if it
// crashes the process, it is the only one whose attempt is counted without an
// answer.
func (ln *Lone) next() {
	if it := ln.suspects.lone; it != nil && ln.unsettled.shuns(it) { // others are written, and it may wait for long
		ln.suspects.end(it)
	}
	for ln.suspects.lone == nil && ln.starts() {
		it := ln.suspects.queue.pop(isReady)
		switch {
		case it == nil:
			return
		case !it.suspect(): // a newer claim has cleared it: it waits in its lane
		case it.Dest.breakerOrNil().isPaused():
			ln.giveBack(it, it.Dest.breaker.delay(ln.now))
		case it.unexplained():
			ln.beginHistory(it)
		case it.LoneRuns >= suspectAfter:
			ln.condemn(it)
		default:
			ln.beginHistories() // before a run that may end this process
			ln.suspects.alone(it)
			ln.move(it, Proving)
			it.line.start(it)
			ln.fx.Lone = it
		}
	}
}

// Check returns the destination to check before the lone event runs, or nil if it
// need not be checked: it cannot be, or has been, and no event was answered since. If
// a check of it still runs that should have ended, the event is given back.
func (ln *Lone) Check(it *Item) *Breaker {
	b := it.Dest.breakerOrNil()
	switch {
	case b == nil || !b.probes.checks || b.isHalfOpen():
		return nil
	case b.probes.late > 0:
		ln.PutOff(it, errLate)
		return nil
	}
	return b
}

// Proving reports whether the lone event's attempt may be written now. If its
// type or destination has been paused, the event is released instead. So it is
// while the relay stops, since its run would be cut short and the event blamed for
// it.
func (ln *Lone) Proving(it *Item) bool {
	if it.state == Proving && (ln.phase == Stopping || it.lane.paused || it.Dest.breakerOrNil().isPaused()) {
		ln.unstart(it)
		ln.giveBack(it, 0)
	}
	if it.state == Proving {
		ln.suspects.sends()
	}
	return it.state == Proving
}

// stop gives back the lone event if its attempt is not being written yet: its
// destination may be being checked.
func (ln *Lone) stop() {
	if it := ln.suspects.lone; it != nil && it.state == Proving && !ln.suspects.sent {
		ln.unstart(it)
		ln.giveBack(it, 0)
	}
}

// Proved reports the result of the statement that writes the lone event's
// attempt and renews its lease, and when it was sent. It returns the run, or
// nil if the event was lost or the statement failed, and must not run now.
func (ln *Lone) Proved(it *Item, sent time.Time, lost bool, err error) *Run {
	if it.state != Proving { // the relay has stopped meanwhile
		return nil
	}
	if ln.phase == Stopping && !lost { // giving it back takes the attempt back
		ln.unstart(it)
		ln.giveBack(it, 0)
		return nil
	}
	if err != nil || lost {
		ln.suspects.end(it)
		next := ln.unstart(it)
		switch {
		case lost:
			ln.drop(it)
		case it.lane.shut() || it.Dest.breakerOrNil().isPaused():
			ln.giveBack(it, 0)
		case next: // the database is unavailable: not before its lease is renewed
			ln.move(it, Lapsed)
			ln.wake(HoldLoop)
		default:
			ln.move(it, Lined)
		}
		return nil
	}
	it.renewed(sent, ln.cfg.Lease)
	ln.move(it, Running)
	run := it.newRun(ln.now.Add(it.lane.cfg.Timeout))
	it.started, it.run = ln.now, run
	it.Dest.breakerOrNil().admitLone(it, ln.now)
	return run
}

// unstart makes an event wait again that was about to run, and reports whether it
// is the next of its key.
func (ln *Lone) unstart(it *Item) (next bool) {
	if next = it.line.unstart(it); !next {
		ln.advance(it.line)
	}
	return next
}

// PutOff reports that the lone event's destination is unavailable: the event is
// given back.
func (ln *Lone) PutOff(it *Item, err error) {
	if it.state != Proving {
		return
	}
	var delay time.Duration
	if b := it.Dest.breakerOrNil(); b != nil {
		ln.dests.fail(b, err)
		delay = b.delay(ln.now)
	}
	ln.unstart(it)
	ln.giveBack(it, delay)
}

// beginHistories calls beginHistory for the suspects that wait.
func (ln *Lone) beginHistories() {
	q := &ln.suspects.queue
	for _, it := range slices.Clone(q.items[q.head:]) { // what waited behind one of them joins the queue
		if it.state == Ready && it.unexplained() {
			ln.beginHistory(it)
		}
	}
}

// beginHistory gives the event back with its present number of attempts in the
// history, so that lone runs can be counted from there. It is not a try: a round tries
// the event when it comes back.
func (ln *Lone) beginHistory(it *Item) {
	it.outcome = Outcome{Kind: driver.Release, Begins: true, uncounted: true, Attempts: it.Attempts, Reason: Reason{
		Class: driver.ClassCrash, Text: "its relay disappeared three times; earlier attempts are not in the history", At: ln.now,
	}}
	ln.unsettle(it)
	ln.unsettled.uncount(driver.Release)
	ln.leave(it)
}

// crashes is the error of an event whose lone runs, so many, all ended with their
// process. It is formatted when somebody reads it.
type crashes int

func (n crashes) Error() string {
	return fmt.Sprintf("its relay disappeared during %d lone runs in a row: the event crashes or stalls the process", int(n))
}

// condemn gives up an event whose lone runs all ended with their process.
func (ln *Lone) condemn(it *Item) {
	err := crashes(it.LoneRuns)
	out := Outcome{Kind: driver.Dead, Attempts: it.Attempts, Reason: Reason{Class: driver.ClassCrash, crashes: err, At: ln.now}}
	ln.leave(it)
	ln.decisions.conclude(it, out, Decision{Item: it, Event: it.Event, Kind: driver.Dead, Attempt: it.Attempts, Counted: true, Err: err})
}
