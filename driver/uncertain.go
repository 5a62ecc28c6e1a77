package driver

import "errors"

// Uncertain marks the error of an event that may have been delivered all the
// same: it was handed to the server, and the answer was lost. Sinks mark a
// timeout, a cancellation and a lost connection while they wait for an answer,
// and an answer that says that the server does not know. Whether the attempt
// counts depends on the error's class alone. Uncertain(nil) is nil.
//
// A listener may mark its error, too.
func Uncertain(err error) error {
	if err == nil {
		return nil
	}
	return &certainty{err: err, maybe: true}
}

// NotSent marks the error of an event that was certainly not delivered,
// although its cause is marked as [Uncertain]: the event waited behind the one
// that the cause is about. NotSent(nil) is nil.
func NotSent(err error) error {
	if err == nil {
		return nil
	}
	return &certainty{err: err}
}

// IsUncertain reports whether err was marked by [Uncertain]. Of several marks
// the outermost counts.
func IsUncertain(err error) bool {
	c := certaintyOf(err)
	return c != nil && c.maybe
}

// IsNotSent reports whether err was marked by [NotSent]. Of several marks the
// outermost counts.
func IsNotSent(err error) bool {
	c := certaintyOf(err)
	return c != nil && !c.maybe
}

type certainty struct {
	err   error
	maybe bool
}

func (c *certainty) Error() string { return c.err.Error() }
func (c *certainty) Unwrap() error { return c.err }

func certaintyOf(err error) *certainty {
	var c *certainty
	if errors.As(err, &c) {
		return c
	}
	return nil
}
