package core

import (
	"errors"
	"time"
)

// errLate is why a destination counts as unavailable whose check does not end.
var errLate = errors.New("relay: an earlier connection check ignores the end of its context and still runs")

// Due returns the destinations to check now, and how long to wait for the
// next. Report each with [Dests.Probed], in any order.
func (ds *Dests) Due() (due []*Breaker, wait time.Duration) {
	wait = time.Hour
	for _, b := range ds.list {
		wait = min(wait, ds.untried(b))
		left, ok := b.due(ds.now)
		switch {
		case !ok:
		case left > 0:
			wait = min(wait, left)
		case !b.probes.checks:
			ds.halfOpen(b) // an event is the probe
		case b.probes.late > 0: // checks must not pile up
			ds.stillAway(b, errLate)
			wait = min(wait, b.probes.wait)
		default:
			b.move(probing)
			due = append(due, b)
		}
	}
	return due, wait
}

// maxUntried is how long a half-open destination counts as unavailable after an event
// has tried it in vain, if no other does: perhaps none is left.
const maxUntried = time.Minute

// untried ends that, and returns how long to wait until it may be over.
func (ds *Dests) untried(b *Breaker) time.Duration {
	if b.state != halfOpen || b.trial.vain == 0 {
		return time.Hour
	}
	left := maxUntried - Elapsed(b.trial.began, ds.now)
	if left > 0 {
		return left
	}
	b.trial.forget()
	ds.noteTurn(Note{Kind: NoteHalfOpen, Target: b.Name})
	return time.Hour
}

// CheckLate reports that a check did not return in time and still runs. Until
// [Dests.CheckEnded] the destination is not checked again.
func (ds *Dests) CheckLate(b *Breaker) { b.probes.isLate() }

// CheckEnded reports the result of such a check.
func (ds *Dests) CheckEnded(b *Breaker, err error) {
	if b.probes.ended(); err == nil && b.isOpen() {
		ds.halfOpen(b)
	}
}

// Probed reports the result of a check.
func (ds *Dests) Probed(b *Breaker, err error) {
	switch {
	case b.state != probing: // an event was answered meanwhile
	case err != nil:
		b.move(open)
		ds.stillAway(b, err)
	default:
		ds.halfOpen(b)
	}
}

// stillAway puts off the next probe.
func (ds *Dests) stillAway(b *Breaker, err error) {
	b.probes.later(ds.now)
	ds.noteTurn(Note{Kind: NoteStillAway, Target: b.Name, Err: err, Wait: b.probes.wait})
	ds.wake(ProbeLoop)
}

// halfOpen lets single events try the destination.
func (ds *Dests) halfOpen(b *Breaker) {
	b.try()
	ds.noteTurn(Note{Kind: NoteHalfOpen, Target: b.Name})
	ds.turned(b, freed, nil)
}
