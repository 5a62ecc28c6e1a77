package outbox

import "time"

// CommitHook learns what writers commit. A relay implements it for its hot
// path. Its methods are called from the application's goroutines: they must not
// block and must be safe for concurrent use.
type CommitHook interface {
	// Admit is called before the INSERT to decide whether the events may be
	// hot. It reserves room for all of them and returns the head start to
	// insert them with, or reserves nothing and returns 0. Since is the time of
	// the call: together with an event's id it identifies the reservation.
	Admit(es []Event, since time.Time) (headStart time.Duration)
	// Committed receives what a tracked transaction committed, in order. Those
	// with Seq 0 were written in another transaction, may not exist, and are
	// only a hint.
	Committed(ws []Written)
	// Dropped receives what was rolled back, or may have been.
	Dropped(ws []Written)
}

// untrackedHook is a [CommitHook] that is also told of writes outside of tracked
// transactions, of whose commit it never hears. A relay that is not running
// says so.
type untrackedHook interface{ Untracked() }

// Written is one event that a tracked transaction wrote.
type Written struct {
	Event Event
	Seq   int64
	// HeadStart is what Admit returned for it; 0 for an ordinary row.
	HeadStart time.Duration
	// Since is the time passed to Admit; the process counts the head start from
	// it.
	Since time.Time
	// Confirm is true if the row may have been rolled back with a savepoint, so
	// that the relay must look it up before it delivers it.
	Confirm bool
}

// Hot reports whether the row was inserted with a head start and can be
// delivered from memory.
func (w Written) Hot() bool { return w.HeadStart > 0 && w.Seq != 0 }
