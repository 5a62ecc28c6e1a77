package core

import "time"

// Answer is what came of handing an event over. Whoever makes it has looked at
// the error, asked the retry policy and found the words, so that the Core need
// not.
type Answer struct {
	Kind AnswerKind
	// Unasked: it did not get as far as its destination, which therefore said
	// nothing.
	Unasked bool
	// Inferred: that the destination is unavailable was read off the error, and
	// not said by it.
	Inferred bool
	// Delay is what the error asks for, and Retry the wait if the attempt
	// counts, which is the policy's if the error asks for none.
	Delay, Retry time.Duration

	Class  string
	Text   string
	Err    error
	Took   time.Duration
	Broken bool // by the end of its context
}

// AnswerKind is what an answer means.
type AnswerKind uint8

// The kinds of answers.
const (
	Delivered   AnswerKind = iota
	Failed                 // counts as an attempt
	Permanent              // no retry will mend it
	Unavailable            // it is about the destination and not about the event
	NotYet                 // to be tried later, without counting
	NoRoute                // there is no destination
	Unreadable             // the row cannot be delivered as it is
)
