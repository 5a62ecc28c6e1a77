package billing

import (
	"errors"
	"sync/atomic"
)

// Trouble makes deliveries fail, in every way that a consumer can. It counts
// deliveries, so that every run soon has some of each. It is safe for concurrent
// use once its fields are set; the zero value makes none fail.
type Trouble struct {
	// One delivery in so many. 0: none.
	Rollback   int // the transaction fails after its effect
	LostAnswer int // the effect is committed, and the sender does not hear of it
	Away       int // billing does not answer at all

	deliveries, failures atomic.Int64
}

// Failures returns how many deliveries it made fail.
func (t *Trouble) Failures() int64 { return t.failures.Load() }

// ErrAway is the error of an outage: it is not about the event.
var ErrAway = errors.New("billing is away")

var (
	errRollback   = errors.New("the invoice could not be committed")
	errLostAnswer = errors.New("the answer of billing was lost")
)

// next returns what happens to the next delivery: one of the errors above, or
// nil.
func (t *Trouble) next() (err error) {
	n := int(t.deliveries.Add(1))
	hits := func(oneIn, at int) bool { return oneIn > 0 && n%oneIn == at%oneIn }
	switch { // at different deliveries, even if all are equally frequent
	case hits(t.Away, t.Away*4/5):
		err = ErrAway
	case hits(t.Rollback, t.Rollback/3):
		err = errRollback
	case hits(t.LostAnswer, t.LostAnswer*2/3):
		err = errLostAnswer
	}
	if err != nil {
		t.failures.Add(1)
	}
	return err
}
