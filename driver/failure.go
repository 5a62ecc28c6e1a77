package driver

import (
	"encoding/json"
	"time"
)

// Failure is one failed attempt, as the row's history keeps it.
type Failure struct {
	At    time.Time     `json:"at"`    // by the clock of the relay
	Took  time.Duration `json:"took"`  // nanoseconds
	Owner Owner         `json:"owner"` // the relay that tried
	// Attempt is 1 for the first; 0 for one that was not counted.
	Attempt int `json:"attempt"`
	// Destination is where the event was to go; empty if it had none.
	Destination string `json:"destination,omitempty"`
	Error       string `json:"error"`
	// Class is how the relay classified the error; empty in lists of other
	// programs.
	Class FailureClass `json:"class,omitempty"`
	// Maybe: the event may have been delivered anyway; see [Uncertain].
	Maybe bool `json:"maybe,omitempty"`
	// MaybeBefore: it may have been delivered by an earlier attempt that is not
	// in the list, or no longer.
	MaybeBefore bool `json:"maybe_before,omitempty"`
}

// FailureClass is the kind of error behind a failure.
type FailureClass string

// The classes of failures.
const (
	ClassFailed      FailureClass = "failed"      // an error of no special kind
	ClassPermanent   FailureClass = "permanent"   // no retry can fix it
	ClassUnavailable FailureClass = "unavailable" // an error of the destination
	ClassTimeout     FailureClass = "timeout"     // it did not end in time
	ClassCancelled   FailureClass = "cancelled"   // its context was cancelled
	ClassPanic       FailureClass = "panic"       // of the listener or the sink
	ClassGoexit      FailureClass = "goexit"      // it ended its goroutine
	ClassCrash       FailureClass = "crash"       // the relay disappeared
	ClassUnroutable  FailureClass = "unroutable"  // no destination
	ClassUnreadable  FailureClass = "unreadable"  // the row cannot be read
	ClassEarlier     FailureClass = "earlier"     // see [EarlierFailures]
)

// EarlierFailures is the history of an event that goes back to the outbox
// although it was, or may have been, delivered. It replaces the real history,
// which ends there.
const EarlierFailures = `[{"class":"earlier","error":"before it went back to the outbox","maybe":true}]`

// The limits of a row's history.
const (
	maxFailures     = 10
	maxFailureError = 500 // characters
)

// MaxDestination is the length of a destination's name as letters keep it, in
// characters.
const MaxDestination = 255

// AppendFailure adds f to a stored list and keeps the last ten. Of consecutive
// uncounted failures that are alike it keeps the last one, so that an outage does
// not push out the attempts before it. It replaces a list that cannot be read,
// and then assumes that the event may have been delivered.
func AppendFailure(list json.RawMessage, f Failure) json.RawMessage {
	fs := ParseFailures(list)
	f.Error, f.Destination = CleanText(f.Error, maxFailureError), CleanText(f.Destination, MaxDestination)
	switch {
	case fs == nil && len(list) > 0 && string(list) != "null":
		f.MaybeBefore = true
	case len(fs) == 1 && fs[0].Class == ClassEarlier:
		fs, f.MaybeBefore = nil, true
	}
	if n := len(fs); n > 0 && f.repeats(&fs[n-1]) {
		last := fs[n-1]
		fs, f.MaybeBefore = fs[:n-1], f.MaybeBefore || last.Maybe || last.MaybeBefore
	}
	fs = append(fs, f)
	if n := len(fs) - maxFailures; n > 0 {
		before := MaybeDelivered(fs[:n])
		fs = fs[n:]
		fs[0].MaybeBefore = fs[0].MaybeBefore || before
	}
	out, err := json.Marshal(fs)
	if err != nil { // cannot happen: strings, numbers and a time in range
		return list
	}
	return out
}

// repeats reports whether f adds nothing to the failure before it.
func (f *Failure) repeats(before *Failure) bool {
	return f.Attempt == 0 && before.Attempt == 0 && f.Class == before.Class && f.Destination == before.Destination
}

// MaybeDelivered reports whether the event of these failures may have been
// delivered in spite of them.
func MaybeDelivered(fs []Failure) bool {
	for i := range fs {
		if fs[i].Maybe || fs[i].MaybeBefore {
			return true
		}
	}
	return false
}

// ParseFailures reads a stored list. It returns nil for one that cannot be read.
func ParseFailures(list json.RawMessage) []Failure {
	var fs []Failure
	if len(list) == 0 || json.Unmarshal(list, &fs) != nil {
		return nil
	}
	return fs
}

// DestinationOfLast returns the destination of the last failure, cut to what a
// letter can keep: other programs may write anything.
func DestinationOfLast(fs []Failure) string {
	if len(fs) == 0 {
		return ""
	}
	return CleanText(fs[len(fs)-1].Destination, MaxDestination)
}
