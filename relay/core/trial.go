package core

import "time"

// trial is how single events try a destination that is half-open.
type trial struct {
	left   int       // events to run one at a time before the breaker closes
	by     string    // the event that tries it, or did last
	began  time.Time // when that one did
	vain   int       // so many in a row got no answer
	proved int       // so many got one since the breaker is half-open
}

const maxTrial = 100

// start begins a series of trials.
func (t *trial) start() { t.vain, t.proved = 0, 0 }

// heard notes that the destination answered, and reports whether it did not before.
func (t *trial) heard() (after bool) {
	after, t.vain = t.vain > 0, 0
	return after
}

// unheard notes that it did not answer the event that tried it, and forget that
// nothing has tried it for long.
func (t *trial) unheard() { t.vain++ }
func (t *trial) forget()  { t.vain = 0 }

// begin begins a trial by the next event.
func (t *trial) begin(id string, now time.Time) { t.by, t.began = id, now }

// more lets one event more try the destination, after one for which it was
// unavailable, of a batch or from before the outage.
func (t *trial) more() { t.left = min(t.left+1, maxTrial) }

// fail lets at least one event try a destination that is unavailable.
func (t *trial) fail() { t.left = max(t.left, 1) }

// answered counts an answer, and reports whether the destination has given enough.
func (t *trial) answered() (enough bool) {
	t.proved++
	t.left--
	return t.left <= 0
}
