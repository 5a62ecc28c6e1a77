package core

import "fmt"

// State is the state of an event in memory.
type State uint8

// The states. An event waits, runs, is unsettled, and is gone.
const (
	Fresh      State = iota // not in memory yet
	Unsure                  // the same, and its row may have been rolled back with a savepoint
	Detached                // settled in place of an event whose run goes on
	Confirming              // waits: its row is being looked up
	Lined                   // waits behind others of its key
	Ready                   // waits for a worker
	Lapsed                  // waits until its lease is renewed
	Taking                  // waits: it is being claimed by id, or the answer was lost
	Proving                 // a suspect: its destination is being checked and its attempt written
	Running                 // handed to its destination
	Cancelled               // runs, and the relay has ended its context
	Decided                 // has an outcome that the hooks are being called for
	Unsettled               // has an outcome that is not written yet
	Settling                // a statement with the outcome is under way
	Stuck                   // was settled while its run goes on
	Gone                    // no longer in memory
)

var stateNames = [...]string{
	"fresh", "unsure", "detached", "confirming", "lined", "ready", "lapsed", "taking", "proving", "running", "cancelled", "decided",
	"unsettled", "settling", "stuck", "gone",
}

// String returns the state in lower case.
func (s State) String() string { return stateNames[s] }

// transitions lists the allowed transitions.
var transitions = [...][]State{
	Fresh:      {Unsure, Detached, Lined, Ready, Unsettled},
	Unsure:     {Confirming, Lined, Unsettled},
	Detached:   {Cancelled, Decided, Unsettled},
	Confirming: {Lined, Ready, Taking, Unsettled, Gone},
	Lined:      {Ready, Taking, Running, Unsettled, Gone},
	Ready:      {Lined, Lapsed, Taking, Proving, Running, Decided, Unsettled, Gone},
	Lapsed:     {Lined, Ready, Taking, Unsettled, Gone},
	Taking:     {Lined, Ready, Unsettled, Gone},
	Proving:    {Running, Lapsed, Lined, Unsettled, Gone},
	Running:    {Cancelled, Decided, Unsettled, Stuck, Gone},
	Cancelled:  {Decided, Unsettled, Stuck, Gone},
	Decided:    {Unsettled, Gone},
	Unsettled:  {Settling, Gone},
	Settling:   {Unsettled, Gone},
	Stuck:      {Gone},
	Gone:       {},
}

// allowed is transitions as bits.
var allowed = func() (bits [len(transitions)]uint16) {
	for from, tos := range transitions {
		for _, to := range tos {
			bits[from] |= 1 << to
		}
	}
	return bits
}()

func (s State) waits() bool     { return s >= Confirming && s <= Taking }
func (s State) runs() bool      { return s >= Proving && s <= Cancelled || s == Detached }
func (s State) unsettled() bool { return s >= Decided && s <= Settling }

// answers reports whether an event runs, or its answer is being told to the hooks.
func (s State) answers() bool { return s.runs() || s == Decided }

// needsDatabase reports whether an event waits for a statement, to be written or before
// its run.
func (s State) needsDatabase() bool {
	switch s {
	case Unsettled, Settling, Lapsed, Taking, Confirming:
		return true
	}
	return false
}

// move is the only way to change a state. It keeps the counts, so that they
// cannot differ from the states. A transition that is not in the table is not made.
func (m *memory) move(it *Item, to State) bool {
	if allowed[it.state]&(1<<to) == 0 {
		m.bug(it, to)
		return false
	}
	from := it.state
	m.load.count(it, from, -1)
	it.state = to
	m.load.count(it, to, 1)
	if (from.waits() != to.waits() || to == Gone) && m.poller.left(m.now, it.lane) {
		m.wake(PollLoop)
	}
	if from.unsettled() && !to.unsettled() && m.stalled.any() {
		for _, l := range m.stalled.take() {
			m.touch(l)
		}
		m.wake(PollLoop)
	}
	return true
}

// detached is the event without its run, and not in memory yet.
func (it *Item) detached() Item {
	settle := *it
	settle.line, settle.run, settle.state = nil, nil, Fresh
	return settle
}

// bug notes a transition that is not in the table: a bug in this package. The
// event stays as it is, the relay goes on as well as it can, and logs it.
func (m *memory) bug(it *Item, to State) {
	m.note(Note{Kind: NoteBug, Lane: it.lane.Name, EventID: it.held.EventID, Text: fmt.Sprintf("event %s went from %s to %s", it.held.EventID, it.state, to)})
}
