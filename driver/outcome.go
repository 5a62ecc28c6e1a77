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
	// Delay is how long the row is not due, by the database's clock, for Retry
	// and Release.
	Delay time.Duration
	// Error is the reason, for Retry and Dead; at most 4000 characters.
	Error string
	// Failures replaces the stored list of failures, for Retry and Dead.
	Failures json.RawMessage
	// Token is that of the claim. It only saves time: the result is the same
	// with an old token, a wrong one, or none.
	Token uint64
}

// Failure is one failed attempt, as the row's history keeps it.
type Failure struct {
	At      time.Time     `json:"at"`      // by the clock of the relay
	Took    time.Duration `json:"took"`    // nanoseconds
	Owner   Owner         `json:"owner"`   // the relay that tried
	Attempt int           `json:"attempt"` // 1 for the first
	// Destination is where the event was to go; empty if it had none.
	Destination string `json:"destination,omitempty"`
	Error       string `json:"error"`
}

// The limits of a row's history.
const (
	maxFailures     = 10
	maxFailureError = 500 // characters
)

// MaxDestination is the length of a destination's name as letters keep it, in
// characters.
const MaxDestination = 255

// AppendFailure adds f to a stored list and keeps the last ten. It replaces a
// list that cannot be read.
func AppendFailure(list json.RawMessage, f Failure) json.RawMessage {
	fs := ParseFailures(list)
	f.Error, f.Destination = CleanText(f.Error, maxFailureError), CleanText(f.Destination, MaxDestination)
	fs = append(fs, f)
	if len(fs) > maxFailures {
		fs = fs[len(fs)-maxFailures:]
	}
	out, err := json.Marshal(fs)
	if err != nil { // cannot happen: strings, numbers and a time in range
		return list
	}
	return out
}

// ParseFailures reads a stored list. It returns nil for one that cannot be read.
func ParseFailures(list json.RawMessage) []Failure {
	var fs []Failure
	if len(list) == 0 || json.Unmarshal(list, &fs) != nil {
		return nil
	}
	return fs
}

// DestinationOfLast returns the destination of the last of some failures, as a
// letter can keep it: other programs may write any.
func DestinationOfLast(fs []Failure) string {
	if len(fs) == 0 {
		return ""
	}
	return CleanText(fs[len(fs)-1].Destination, MaxDestination)
}
