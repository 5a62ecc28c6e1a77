package core

import (
	"fmt"
	"slices"
	"time"
)

// Breaker keeps events away from a destination that is unavailable or paused. A
// nil one is always closed.
type Breaker struct {
	Name   string
	Target any // of the first destination with this breaker

	state   breakerState
	probes  probes
	trial   trial
	answers int    // answers of the destination so far
	last    string // the event for which it was last unavailable
	strikes map[string]*strikes
	pause   destPause
	base    *base // for a note of a bug
}

type admission uint8

const (
	admit admission = iota
	hold
	refuse
)

// move is the only way to change the state. A transition that is not in the table is
// not made.
func (b *Breaker) move(to breakerState) {
	if !slices.Contains(breakerTransitions[b.state], to) {
		b.base.note(Note{Kind: NoteBug, Target: b.Name, Text: fmt.Sprintf("destination %s went from %s to %s", b.Name, b.state, to)})
		return
	}
	b.state = to
}

// admit says whether an event may run now. That of a half-open destination then
// tries it.
func (b *Breaker) admit(it *Item, now time.Time) admission {
	switch {
	case b.isClosed():
		return admit
	case b.shut():
		return refuse
	case b.state == trying:
		return hold
	}
	b.move(trying)
	b.trial.begin(it.held.EventID, now)
	return admit
}

// admitLone lets a suspect run, which tries the destination if nothing else does.
func (b *Breaker) admitLone(it *Item, now time.Time) {
	if b.isHalfOpen() {
		b.admit(it, now)
	}
}

// ration is how many events to claim for a half-open destination: as many as may
// try it until it has answered, so that rows are not claimed and given back for
// nothing; or two, so that another can go before one with a strike.
func (b *Breaker) ration() int {
	switch {
	case b.trial.proved > 0:
		return b.trial.left
	case len(b.strikes) > 0:
		return max(b.probes.tolerance()-b.trial.vain, 2)
	}
	return 1
}

func (b *Breaker) isHalfOpen() bool {
	return b != nil && (b.state == halfOpen || b.state == trying)
}

// isTrying reports whether no other event may try a half-open destination now.
func (b *Breaker) isTrying() bool { return b != nil && b.state == trying }
func (b *Breaker) isPaused() bool { return b != nil && b.pause.on }
func (b *Breaker) isClosed() bool { return b == nil || (b.state == closed && !b.pause.on) }
func (b *Breaker) isOpen() bool   { return b != nil && (b.state == open || b.state == probing) }

// shut reports whether no event may run, not even one alone.
func (b *Breaker) shut() bool { return b.isOpen() || b.isPaused() }

// tries reports whether the event is the one that tries the destination. One that
// has run since before the outage is not.
func (b *Breaker) tries(it *Item) bool { return b.isTrying() && b.trial.by == it.held.EventID }

// delay is how long a refused event stays away.
func (b *Breaker) delay(now time.Time) time.Duration {
	if b.pause.on {
		return b.pause.putOff.next(now)
	}
	return b.probes.delay(now)
}

// patience is how long an event stays away while a trial keeps it from running: the
// longer the trial takes, and the more there were in vain, the longer. Each claim
// brings many such events for one trial.
func (b *Breaker) patience(now time.Time) time.Duration {
	return min(max(Elapsed(b.trial.began, now), firstProbe<<min(b.trial.vain, 5)), lastProbe)
}

// turn is what changed for the events that wait for a destination.
type turn uint8

const (
	asBefore turn = iota
	freed         // the next event may try it
	inVain        // the same, and it was unavailable for the last one
	proved        // the same, and it answered after some were in vain
	cameBack
	wentAway
)

// answered notes that the destination gave an answer, good or bad, about an
// event, and is therefore available.
func (b *Breaker) answered(it *Item) turn {
	if b == nil {
		return asBefore
	}
	b.answeredInPart(it)
	t := freed
	if b.trial.heard() {
		t = proved
	}
	if b.state == closed {
		return asBefore
	}
	b.release(it)
	if enough := b.trial.answered(); !enough && b.isHalfOpen() {
		return t
	}
	b.move(closed)
	b.probes.passed()
	b.trial = trial{}
	return cameBack
}

// answeredInPart notes an answer about one event of a run for which the destination
// was unavailable otherwise: it says something about that event alone.
func (b *Breaker) answeredInPart(it *Item) {
	if b != nil {
		b.answers++
		delete(b.strikes, it.held.EventID)
	}
}

// unasked notes that an event ended before its destination could answer, which
// says nothing about it.
func (b *Breaker) unasked(it *Item) turn {
	if !b.isHalfOpen() {
		return asBefore
	}
	b.release(it)
	return freed
}

// release ends the trial if the event was one.
func (b *Breaker) release(it *Item) {
	if b.tries(it) {
		b.move(halfOpen)
	}
}

// unavailable notes that the destination was unavailable for the event, and
// reports whether that is the event's own failure, or else how long the event
// stays away. A destination without a check that says so itself is believed.
func (b *Breaker) unavailable(it *Item, inferred bool, now time.Time) (t turn, guilty bool, aside time.Duration) {
	if b == nil {
		return asBefore, false, 0
	}
	alone, again := b.tries(it), b.last == it.held.EventID
	b.release(it)
	b.last = it.held.EventID
	if b.state != closed {
		b.trial.fail()
	}
	if alone {
		b.trial.unheard()
	}
	vain := b.trial.vain
	goesOn := alone && vain < b.probes.tolerance()
	switch wait := b.probes.wait; {
	case goesOn:
		t = inVain
	case !b.isOpen():
		b.fail(now)
		if alone && again { // the event may be the cause: others must not wait longer for it
			b.probes.in(max(wait, firstProbe), now)
		}
		t = wentAway
	default:
		b.trial.more() // other events of the failed batch
	}
	if alone && vain == 1 { // later ones may have met a connection that was lost before
		guilty, aside = b.strike(now, it.held.EventID, again)
		guilty = guilty && (b.probes.checks || inferred)
	}
	if alone && (goesOn || vain > 1) { // it lets the others go first
		aside = max(aside, b.probes.wait)
	}
	return t, guilty, aside
}

// fail opens the breaker.
func (b *Breaker) fail(now time.Time) {
	b.move(open)
	b.trial.fail()
	b.probes.later(now)
}

// due reports how long it is until the next probe, if there is to be one.
func (b *Breaker) due(now time.Time) (left time.Duration, ok bool) {
	return b.probes.next.Sub(now), b.state == open && !b.pause.on
}

// try lets single events try the destination.
func (b *Breaker) try() {
	b.move(halfOpen)
	b.trial.start()
}
