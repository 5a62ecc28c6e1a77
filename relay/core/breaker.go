package core

import "time"

// Breaker keeps events away from a destination that is unavailable or paused. A
// nil one is always closed.
type Breaker struct {
	Name   string
	Target any // of the first destination with this breaker

	checks  bool
	state   breakerState
	wait    time.Duration
	next    time.Time // when to probe
	probing bool      // a check is under way
	late    int       // checks that did not return in time and still run
	trial   int       // events to run one at a time before it closes
	busy    bool      // one of them runs
	tried   time.Time // when the trial began
	proved  bool      // one of them got an answer
	vain    int       // so many in a row got none
	answers int       // answers of the destination so far
	last    string    // the event for which it was last unavailable
	strikes map[string]*strikes

	paused     bool // by a person
	toldPaused bool // the pause was noted
	putOff     putOff
}

type breakerState uint8

const (
	closed breakerState = iota
	open
	halfOpen
)

type admission uint8

const (
	admit admission = iota
	hold
	refuse
)

const (
	firstProbe = 500 * time.Millisecond
	lastProbe  = 15 * time.Second
	maxTrial   = 100
)

// admit says whether an event may run now.
func (b *Breaker) admit() admission {
	switch {
	case b.isClosed():
		return admit
	case b.shut():
		return refuse
	case b.busy:
		return hold
	}
	b.busy = true
	return admit
}

// tries reports whether an admitted event is a trial of the destination.
func (b *Breaker) tries() bool { return b.trying() && b.admit() == admit }

// ration is how many events to claim for a half-open destination: as many as may
// try it until it has answered, so that rows are not claimed and given back for
// nothing; or two, so that another can go before one with a strike.
func (b *Breaker) ration() int {
	switch {
	case b.proved:
		return b.trial
	case len(b.strikes) > 0:
		return max(b.tolerance()-b.vain, 2)
	}
	return 1
}

// tolerance is how many events in a row may find a half-open destination
// unavailable before it counts as down again. Its check has passed, so the events
// may be to blame, and others may wait behind them: the longer the wait for a
// check, the more may try, so that they find out at the same pace.
func (b *Breaker) tolerance() int {
	if !b.checks {
		return 1
	}
	return max(int(b.wait/firstProbe), 1)
}

func (b *Breaker) trying() bool   { return b != nil && b.state == halfOpen }
func (b *Breaker) isPaused() bool { return b != nil && b.paused }
func (b *Breaker) isClosed() bool { return b == nil || (b.state == closed && !b.paused) }

// shut reports whether no event may run, not even one alone.
func (b *Breaker) shut() bool { return b != nil && (b.state == open || b.paused) }

// delay is how long a refused event stays away: until the next probe. While that
// is under way, it stays away the longer, the longer the outage takes: other
// destinations of its lane may be available, and the event would be claimed and
// refused over and over.
func (b *Breaker) delay(now time.Time) time.Duration {
	if b.paused {
		return b.putOff.next(now)
	}
	if left := b.next.Sub(now); left > 0 {
		return left
	}
	return min(max(Elapsed(b.next, now), b.wait/10), lastProbe)
}

// patience is how long an event stays away while a trial keeps it from running:
// the longer the trial takes, the longer.
func (b *Breaker) patience(now time.Time) time.Duration {
	return min(max(Elapsed(b.tried, now), firstProbe), lastProbe)
}

// turn is what changed for the events that wait for a destination.
type turn uint8

const (
	asBefore turn = iota
	freed         // the next event may try it
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
	b.vain = 0
	if b.state == closed {
		return asBefore
	}
	b.release(it)
	b.proved = true
	if b.trial--; b.trial > 0 && b.state == halfOpen {
		return freed
	}
	b.state, b.wait, b.trial = closed, 0, 0
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
	if !b.trying() {
		return asBefore
	}
	b.release(it)
	return freed
}

// release ends the trial if the event was one. An event that has run since
// before the outage was not.
func (b *Breaker) release(it *Item) {
	if it.trial {
		b.busy = false
	}
}

// unavailable notes that the destination was unavailable for the event, and
// reports whether that is the event's own failure, or else how long the event
// stays away. A destination without a check that says so itself is believed.
func (b *Breaker) unavailable(it *Item, inferred bool, now time.Time) (t turn, guilty bool, aside time.Duration) {
	if b == nil {
		return asBefore, false, 0
	}
	alone, again := b.state == halfOpen && it.trial, b.last == it.held.EventID
	b.release(it)
	b.last = it.held.EventID
	if b.state != closed {
		b.trial = min(max(b.trial, 1), maxTrial)
	}
	if alone {
		b.vain++
	}
	goesOn := alone && b.vain < b.tolerance()
	switch wait := b.wait; {
	case goesOn:
		t = freed
	case b.state != open:
		b.open(now)
		if alone && again { // the event may be the cause: others must not wait longer for it
			b.wait = max(wait, firstProbe)
			b.next = now.Add(b.wait)
		}
		t = wentAway
	default:
		b.trial = min(b.trial+1, maxTrial) // other events of the failed batch
	}
	if alone && b.vain == 1 { // later ones may have met a connection that was lost before
		guilty, aside = b.strike(now, it.held.EventID, again)
		guilty = guilty && (b.checks || inferred)
	}
	if alone && (goesOn || b.vain > 1) { // it lets the others go first
		aside = max(aside, b.wait)
	}
	return t, guilty, aside
}

func (b *Breaker) open(now time.Time) {
	b.state, b.trial, b.proved = open, max(b.trial, 1), false
	b.wait = min(max(2*b.wait, firstProbe), lastProbe)
	b.next = now.Add(b.wait)
}
