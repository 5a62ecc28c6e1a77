package core

// breakerState is whether a destination is available, as its answers say. A pause
// comes from people, and is apart.
type breakerState uint8

// The states.
const (
	closed   breakerState = iota
	open                  // unavailable: nothing runs
	probing               // open, and its check is under way
	halfOpen              // the next event may try it
	trying                // half-open, and an event tries it
)

var breakerStates = [...]string{"closed", "open", "probing", "half-open", "trying"}

// String returns the state in lower case.
func (s breakerState) String() string { return breakerStates[s] }

// breakerTransitions lists the allowed transitions. An event that has run since
// before the outage may be answered in any state.
var breakerTransitions = [...][]breakerState{
	closed:   {open},
	open:     {probing, halfOpen, closed},
	probing:  {open, halfOpen, closed},
	halfOpen: {trying, open, closed},
	trying:   {halfOpen, open, closed},
}
