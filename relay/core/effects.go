package core

import (
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Effects is what a step asks for. It can be used again after [Effects.Reset].
type Effects struct {
	Runs    []*Run     // to be handed to their destinations, each at once
	Lone    *Item      // a suspect to be run alone: first [Core.Proved], or [Core.PutOff]
	Cancel  []*Run     // whose contexts are to be ended
	Overdue []*Run     // that ignore it: to be answered with [Core.GiveUp]
	Decided []Decision // to be told, then [Core.Told]
	Others  []string   // types of events that were committed and belong to others
	Notes   []Note     // to be told
	Turns   []Note     // of destinations: to be told in the order of the steps
	Wake    Loops      // to be woken
}

// Loops is a set of loops.
type Loops uint8

// The loops that wait for work.
const (
	PollLoop Loops = 1 << iota
	SettleLoop
	BesideLoop
	ApartLoop
	HoldLoop
	TakeLoop
	ConfirmLoop
	ProbeLoop
)

// Reset forgets what was asked for.
func (fx *Effects) Reset() {
	clear(fx.Runs)
	clear(fx.Cancel)
	clear(fx.Overdue)
	clear(fx.Decided)
	clear(fx.Notes)
	clear(fx.Turns)
	*fx = Effects{
		Runs: fx.Runs[:0], Cancel: fx.Cancel[:0], Overdue: fx.Overdue[:0], Decided: fx.Decided[:0],
		Others: fx.Others[:0], Notes: fx.Notes[:0], Turns: fx.Turns[:0],
	}
}

// Run is a batch of one lane that is handed to its destination together.
type Run struct {
	Items    []*Item
	Deadline time.Time
	// Handle is the caller's own.
	Handle any

	lane      *Lane // nil: it runs a suspect
	one       [1]*Item
	abandoned bool // its events are settled without it
}

// Extend moves the deadline to a later time: the answer is there, and something
// is to be done before it is reported.
func (r *Run) Extend(deadline time.Time) {
	if deadline.After(r.Deadline) {
		r.Deadline = deadline
	}
}

// Decision is what became of an event that ran, or that was given up.
type Decision struct {
	Item    *Item
	Event   *outbox.Event
	Kind    driver.OutcomeKind
	Hot     bool
	Attempt int // which one it was
	Counted bool
	Err     error
	Took    time.Duration
	Waited  time.Duration // from when the process learnt of it to its run
	Next    time.Duration // the wait before the next attempt
	Quiet   bool          // nothing to tell but the log
}

// Note is something that hooks or the log are told.
type Note struct {
	Kind    NoteKind
	Lane    string
	N       int
	Hot     int // events in the hot queue, where N is of the cold one
	Logged  int // events that are due to be logged
	EventID string
	Outcome driver.OutcomeKind
	Target  string
	Err     error
	Wait    time.Duration
	Text    string
}

// NoteKind is what a note is about.
type NoteKind uint8

// The kinds of notes.
const (
	NoteHotEnqueued  NoteKind = iota + 1 // N events entered a hot queue
	NoteHotDropped                       // N events found a hot queue full
	NoteColdEnqueued                     // N claimed events entered a cold queue
	NoteRecovered                        // N of them had lost their owner
	NoteDepths                           // how many events of the lane wait
	NoteStuck                            // a run ignores the end of its context
	NoteAway                             // a destination is unavailable
	NoteHalfOpen                         // a destination is tried with single events
	NoteBack                             // a destination is back
	NoteAbandoned                        // the database refuses an outcome
	NoteUnreported                       // a transaction's end was not told
	NoteLocked                           // N rows are locked by another session
	NoteBug                              // a mistake of this package
)

func (c *Core) note(n Note) { c.fx.Notes = append(c.fx.Notes, n) }

func (c *Core) noteTurn(n Note) { c.fx.Turns = append(c.fx.Turns, n) }

func (c *Core) wake(l Loops) { c.fx.Wake |= l }
