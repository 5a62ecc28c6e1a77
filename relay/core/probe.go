package core

import "time"

// Due returns the destinations to check now, and how long to wait for the
// next. Report each with [Dests.Probed], in any order.
func (ds *Dests) Due() (due []*Breaker, wait time.Duration) {
	wait = time.Hour
	for _, b := range ds.list {
		wait = min(wait, ds.untried(b))
		if b.state != open || b.probing || b.paused {
			continue
		}
		if left := b.next.Sub(ds.now); left > 0 {
			wait = min(wait, left)
			continue
		}
		if b.probing = b.checks; b.probing {
			due = append(due, b)
		} else {
			ds.halfOpen(b) // an event is the probe
		}
	}
	return due, wait
}

// maxUntried is how long a half-open destination counts as unavailable after an event
// has tried it in vain, if no other does: perhaps none is left.
const maxUntried = time.Minute

// untried ends that, and returns how long to wait until it may be over.
func (ds *Dests) untried(b *Breaker) time.Duration {
	if !b.trying() || b.busy || b.vain == 0 {
		return time.Hour
	}
	left := maxUntried - Elapsed(b.tried, ds.now)
	if left > 0 {
		return left
	}
	b.vain = 0
	ds.noteTurn(Note{Kind: NoteHalfOpen, Target: b.Name})
	return time.Hour
}

// Probed reports the result of a check.
func (ds *Dests) Probed(b *Breaker, err error) {
	b.probing = false
	switch {
	case b.state != open: // an event was answered meanwhile
	case err != nil:
		b.wait = min(2*b.wait, lastProbe)
		b.next = ds.now.Add(b.wait)
		ds.noteTurn(Note{Kind: NoteStillAway, Target: b.Name, Err: err, Wait: b.wait})
		ds.wake(ProbeLoop)
	default:
		ds.halfOpen(b)
	}
}

// halfOpen lets single events try the destination.
func (ds *Dests) halfOpen(b *Breaker) {
	b.state, b.busy, b.vain = halfOpen, false, 0
	b.round++
	ds.noteTurn(Note{Kind: NoteHalfOpen, Target: b.Name})
	ds.turned(b, freed, nil)
}
