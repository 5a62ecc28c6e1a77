package billing

import (
	"errors"
	"sync/atomic"
)

// Trouble makes deliveries fail, in every way that a consumer can. It counts
// deliveries, so that every run soon has some of each. It is safe for concurrent
// use; a nil Trouble makes none fail.
type Trouble struct{ deliveries, failures atomic.Int64 }

// Failures returns how many deliveries it made fail.
func (t *Trouble) Failures() int64 { return t.failures.Load() }

type fault int

const (
	none       fault = iota
	rollback         // the transaction fails after its effect
	lostAnswer       // the effect is committed, and the sender does not hear of it
	away             // billing does not answer at all
)

// ErrAway is the error of an outage: it is not about the event.
var ErrAway = errors.New("billing is away")

var (
	errRollback   = errors.New("the invoice could not be committed")
	errLostAnswer = errors.New("the answer of billing was lost")
)

// next decides what happens to the next delivery.
func (t *Trouble) next() fault {
	if t == nil {
		return none
	}
	f := none
	switch n := t.deliveries.Add(1); {
	case n%50 == 40:
		f = away
	case n%10 == 3:
		f = rollback
	case n%10 == 7:
		f = lostAnswer
	}
	if f != none {
		t.failures.Add(1)
	}
	return f
}
