package core

import (
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// Answer is the result of handing over an event. Its maker has classified the
// error, asked the retry policy and formatted the text, so that the Core need
// not.
type Answer struct {
	Kind AnswerKind
	// Unasked: the event did not reach its destination, so the answer says
	// nothing about it.
	Unasked bool
	// Inferred: the error was not marked as unavailable, but looks like it.
	Inferred bool
	// Delay is what the error asks for. Retry is the wait if the attempt
	// counts: that of the policy if the error asks for none.
	Delay, Retry time.Duration

	Class  driver.FailureClass
	Text   string
	Maybe  bool // the event may have been delivered anyway
	Err    error
	Took   time.Duration
	Broken bool // cut off by the end of its context
}

// partlyUnavailable reports whether the destination was unavailable for an event of
// a run.
func partlyUnavailable(answers []Answer) bool {
	return slices.ContainsFunc(answers, func(a Answer) bool { return a.Kind == Unavailable })
}

// AnswerKind is what an answer means.
type AnswerKind uint8

// The kinds of answers.
const (
	Delivered   AnswerKind = iota
	Failed                 // counts as an attempt
	Permanent              // no retry can fix it
	Unavailable            // an error of the destination rather than the event
	NotYet                 // to be tried later, without counting
	NoRoute                // no destination
	Unreadable             // the row cannot be delivered as it is
)
