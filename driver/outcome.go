package driver

import (
	"encoding/json"
	"time"
)

// OutcomeKind is what became of a claimed event.
type OutcomeKind int

// The outcomes. Every one ends the claim; all but Done and Dead free the row
// for the next claim.
const (
	// Done: delivered.
	Done OutcomeKind = iota + 1
	// Retry: failed, to be tried again after Delay.
	Retry
	// Dead: given up, moved to the dead letters in the same transaction.
	Dead
	// Release: given back as it was, due after Delay.
	Release
)

// String returns the kind in lower case.
func (k OutcomeKind) String() string {
	switch k {
	case Done:
		return "done"
	case Retry:
		return "retry"
	case Dead:
		return "dead"
	case Release:
		return "release"
	}
	return "unknown"
}

// Outcome settles one claim.
type Outcome struct {
	Held
	Kind OutcomeKind
	// Attempts is the number of failed attempts that the row has from now
	// on. It is absolute, so that a repetition cannot count twice.
	Attempts int
	// Delay is how long it takes until the row is due, by the database's clock,
	// for Retry and Release.
	Delay time.Duration
	// Error is the reason, for Retry and Dead; at most 4000 characters.
	Error string
	// Failures replaces the stored list of failures, for Retry and Dead. For
	// Release it does so only if it is not empty.
	Failures json.RawMessage
	// Token is that of the claim. It only saves time: the result is the same
	// with an old token, a wrong one, or none.
	Token uint64
}
