package core

import (
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Item is one event in memory, from the moment it is held until it is settled.
// The exported fields are set when it is made and do not change once it runs,
// except that Event is nil once the outcome is known, and Failures are those of a
// newer claim where the outcome is written under that.
type Item struct {
	Event     *outbox.Event
	Dest      *Dest // nil: no destination here
	Problem   error // why it cannot be delivered as it is
	CreatedAt time.Time
	Hot       bool
	Since     time.Time // when the process learned of it
	Place     driver.Position
	claim

	lane      *Lane
	line      *line // of its key; nil without one
	size      int
	state     State
	index     int  // in the book
	yielded   bool // has let others go first, once
	run       *Run // while it runs
	started   time.Time
	outcome   Outcome
	meanwhile meanwhile
	// next is a newer claim of the same row, which waits for the outcome of
	// this one; see Outcomes.written.
	next *Item

	alone Run // its run, where it runs alone
}

// claim is under which claim an event is held, and what that said about the row.
// A newer claim of the same row takes its place as a whole.
type claim struct {
	Attempts  int // failed attempts so far
	Recovered int // consecutive claims whose owners disappeared
	LoneRuns  int // lone runs that never settled
	Failures  []byte
	Token     uint64 // of the row, until it is renewed

	held  driver.Held
	lease lease
}

// hold notes that the row is held for that long, from when the statement was sent.
func (c *claim) hold(sent time.Time, length time.Duration) {
	c.lease = lease{from: sent, length: length}
}

// renewed notes the same of a renewal, which moves the row.
func (c *claim) renewed(sent time.Time, length time.Duration) {
	c.hold(sent, length)
	c.Token = 0
}

// taken notes that a hot row is claimed by id.
func (c *claim) taken(h driver.Held, sent time.Time, length time.Duration) {
	c.held = h
	c.hold(sent, length)
}

// written notes that a hot row is stored, with its head start.
func (c *claim) written(w *outbox.Written) {
	c.held.Seq = w.Seq
	c.hold(w.Since, w.HeadStart)
}

// appliedTo reports whether the outcome, which was sent before without an answer, is
// what a newer claim of the row shows. A row counts a lone run before it begins; that
// nothing was settled since then shows in the owners that disappeared.
func (it *Item) appliedTo(newer *claim) bool {
	if it.suspect() && newer.Recovered > it.Recovered {
		return false
	}
	return it.outcome.Kind == driver.Retry && newer.Attempts >= it.outcome.Attempts
}

// moves takes over from a newer claim what the outcome is written with.
func (c *claim) moves(to *claim) {
	c.held, c.lease, c.Token, c.Failures = to.held, to.lease, to.Token, to.Failures
}

// NewItem makes an item from a claimed row. It parses the row's history, so
// call it outside the lock. It copies the event: the rows of a claim share an
// array, and one that waits for long would keep the payloads of all in memory.
func NewItem(c *driver.Claimed, dest *Dest, since time.Time) Item {
	e := c.Event
	return Item{
		Event: &e, Dest: dest, Problem: c.Problem, CreatedAt: c.CreatedAt, Since: since, Place: c.Position, size: c.Event.Size(),
		claim: claim{Attempts: c.Attempts, Recovered: c.Recovered, LoneRuns: loneRuns(c), Failures: c.Failures, Token: c.Token, held: c.Held},
	}
}

// NewHot makes an item for a reservation. Its Event may be set later, before
// the commit.
func NewHot(e *outbox.Event, dest *Dest) Item {
	return Item{Dest: dest, Hot: true, size: e.Size(), claim: claim{held: driver.Held{EventID: e.ID}}}
}

// newRun makes the event's run inside the item, so that nothing is allocated
// between a commit and its listener.
func (it *Item) newRun(deadline time.Time) *Run {
	run := &it.alone
	run.Deadline, run.one[0] = deadline, it
	run.Items = run.one[:]
	return run
}

// lockedAmongOthers reports whether another session has locked the row of an event that
// runs with others. Nobody can claim it meanwhile, and the others must not be cancelled.
func (it *Item) lockedAmongOthers() bool {
	return !it.lease.locked.IsZero() && it.run != nil && len(it.run.Items) > 1
}

// Held returns the claim under which the event is in memory.
func (it *Item) Held() driver.Held { return it.held }

// State returns the state of the event.
func (it *Item) State() State { return it.state }

// Started returns when the run began.
func (it *Item) Started() time.Time { return it.started }

// neverClaimed reports whether the event was given back as its writer left it: the
// poller does not know of it yet.
func (it *Item) neverClaimed() bool {
	return it.held.ClaimNo == 0 && it.started.IsZero() && it.outcome.Kind == driver.Release && it.outcome.Delay == 0
}

// age is the time from when the event was written, or became due, to the end of a
// run that took this long.
func (it *Item) age(took time.Duration) time.Duration {
	since := it.CreatedAt
	if due := it.Place.AvailableAt; it.Attempts == 0 && due.After(since) {
		since = due
	}
	least := it.started.Sub(it.Since) + took
	if it.Hot || since.IsZero() {
		return least
	}
	return max(it.started.Sub(since)+took, least)
}

// Lane returns the lane of its type.
func (it *Item) Lane() *Lane { return it.lane }

// Outcome returns the outcome, once it is decided.
func (it *Item) Outcome() Outcome {
	out := it.outcome
	out.Token, out.Event = it.Token, it.Event
	return out
}

// Outcome is what to write to the row. The reason is formatted only when it is
// written. That of a released event is written only if the event may have been
// delivered.
type Outcome struct {
	Kind     driver.OutcomeKind
	Attempts int
	Delay    time.Duration
	Reason   Reason
	// Begins: a released event whose reason begins the history of its row.
	Begins bool
	// uncounted: it is not among the counts of outcomes, since it is no try, or the
	// event was counted when it was tried.
	uncounted bool
	Token     uint64 // of the row, unless it has been renewed
	// Event is the dead event, if [Config.KeepDead] is set.
	Event *outbox.Event
}

// Reason is why an attempt failed.
type Reason struct {
	Class driver.FailureClass
	Text  string
	At    time.Time
	Took  time.Duration
	Maybe bool // the event may have been delivered anyway

	crashes crashes // in place of Text; 0: none
}

// String returns the text, after the class where that says more.
func (r *Reason) String() string {
	text := r.Text
	if r.crashes > 0 {
		text = r.crashes.Error()
	}
	switch r.Class {
	case "", driver.ClassFailed, driver.ClassCancelled, driver.ClassPanic, driver.ClassGoexit: // the text says so
		return text
	}
	return string(r.Class) + ": " + text
}
