package outbox

import "time"

// CommitHook learns what writers commit. A relay is one, and that is the hot
// path. Its methods are called from the business's own goroutines: they must
// not block and must be safe for concurrent use.
type CommitHook interface {
	// Admit is asked before the INSERT whether the events may be hot. It
	// reserves room for all of them and returns the head start they are to be
	// born with, or reserves nothing and returns 0. Since is the moment of the
	// question: with an event's id it names the reservation.
	Admit(es []Event, since time.Time) (headStart time.Duration)
	// Committed is told what a tracked transaction committed, in order. Those
	// with Seq 0 were written beside it, may not exist, and are a hint alone.
	Committed(ws []Written)
	// Dropped is told what was rolled back, or may have been.
	Dropped(ws []Written)
}

// Written is one event that a tracked transaction wrote.
type Written struct {
	Event Event
	Seq   int64
	// HeadStart is what Admit returned for it; 0: an ordinary row.
	HeadStart time.Duration
	// Since is what Admit was given, from which the head start counts in the
	// process.
	Since time.Time
	// Confirm is true if the row may have been rolled back with a savepoint,
	// and is to be looked up before it is delivered.
	Confirm bool
}

// Hot reports whether the row was born with a head start and is known well
// enough to be delivered from memory.
func (w Written) Hot() bool { return w.HeadStart > 0 && w.Seq != 0 }
