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
		if b.state != open || b.probing || b.paused {
			continue
		}
		if left := b.next.Sub(ds.now); left > 0 {
			wait = min(wait, left)
			continue
		}
		switch {
		case !b.checks:
			ds.halfOpen(b) // an event is the probe
		case b.late > 0: // checks must not pile up
			ds.stillAway(b, errLate)
			wait = min(wait, b.wait)
		default:
			b.probing = true
			due = append(due, b)
		}
	}
	return due, wait
}

// CheckLate reports that a check did not return in time and still runs. Until
// [Dests.CheckEnded] the destination is not checked again.
func (ds *Dests) CheckLate(b *Breaker) { b.late++ }

// CheckEnded reports the result of such a check.
func (ds *Dests) CheckEnded(b *Breaker, err error) {
	if b.late--; err == nil && b.state == open {
		ds.halfOpen(b)
	}
}

// stillAway puts off the next probe.
func (ds *Dests) stillAway(b *Breaker, err error) {
	b.wait = min(2*b.wait, lastProbe)
	b.next = ds.now.Add(b.wait)
	ds.noteTurn(Note{Kind: NoteStillAway, Target: b.Name, Err: err, Wait: b.wait})
	ds.wake(ProbeLoop)
}

// Probed reports the result of a check.
func (ds *Dests) Probed(b *Breaker, err error) {
	b.probing = false
	switch {
	case b.state != open: // an event was answered meanwhile
	case err != nil:
		ds.stillAway(b, err)
	default:
		ds.halfOpen(b)
	}
}

// halfOpen lets single events try the destination.
func (ds *Dests) halfOpen(b *Breaker) {
	b.state, b.busy, b.vain = halfOpen, false, 0
	ds.noteTurn(Note{Kind: NoteHalfOpen, Target: b.Name})
	ds.turned(b, freed, nil)
}
