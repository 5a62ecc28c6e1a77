package core

import (
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Effects is what a step asks for. It can be reused after [Effects.Reset].
type Effects struct {
	Runs    []*Run     // to hand to their destinations at once
	Lone    *Item      // a suspect to run alone: first [Lone.Proved], or [Lone.PutOff]
	Cancel  []*Run     // runs to cancel
	Overdue []*Run     // runs that ignore it: call [Runs.GiveUp]
	Decided []Decision // for the hooks, then [Decisions.Told]
	Others  []string   // types of committed events of other relays
	Notes   []Note     // for the hooks and the log
	Turns   []Note     // the same about destinations, in the order of the steps
	Wake    Loops      // loops to wake
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
	// Handle belongs to the caller.
	Handle any

	lane      *Lane // nil for the run of a suspect
	one       [1]*Item
	overdue   bool // it ignores the end of its context, which was noted
	abandoned bool // its events were settled without it
}

// Extend moves the deadline to a later time, for work between the answer and
// its report.
func (r *Run) Extend(deadline time.Time) {
	if deadline.After(r.Deadline) {
		r.Deadline = deadline
	}
}

func (r *Run) noteOverdue() { r.overdue = true }

// Decision is the result of an event that ran or was given up.
type Decision struct {
	Item    *Item
	Event   *outbox.Event
	Kind    driver.OutcomeKind
	Hot     bool
	Attempt int // 1 for the first
	Counted bool
	Err     error
	Took    time.Duration
	Waited  time.Duration // from when the process learned of it to its run
	Age     time.Duration // from when it was written or became due to the end of its run
	Next    time.Duration // the wait before the next attempt
	Quiet   bool          // only for the log
}

// Note is something for the hooks or the log.
type Note struct {
	Kind    NoteKind
	Lane    string
	N       int
	Hot     int // events in the hot queue; N is the cold one
	Logged  int // events to log
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
	NoteDepths                           // N and Hot events of the lane wait
	NoteStuck                            // a run ignores the end of its context
	NoteAway                             // a destination is unavailable
	NoteStillAway                        // its check says so again
	NoteHalfOpen                         // a destination is tried with single events
	NoteInVain                           // it is unavailable for one of them, and others may try
	NoteBack                             // a destination is back
	NotePaused                           // a person has paused a destination
	NoteResumed                          // the pause of a destination is over
	NoteAbandoned                        // the database refuses an outcome
	NoteUnreported                       // the end of a transaction was not reported
	NoteLocked                           // N rows are locked by another session
	NoteUnlisted                         // the tenants of a lane could not be listed
	NoteBug                              // a bug in this package
)
