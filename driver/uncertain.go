package driver

import "errors"

// Uncertain marks the error of an event that may have been delivered anyway: the
// server got it, and the answer was lost. Sinks mark a timeout, a cancellation
// and a lost connection while they wait for an answer, and an answer in which the
// server says that it does not know. Whether the attempt counts depends only on
// the error's class. Uncertain(nil) is nil.
//
// Listeners may mark their errors too.
func Uncertain(err error) error {
	if err == nil {
		return nil
	}
	return &certainty{err: err, maybe: true}
}

// NotSent marks the error of an event that was certainly not delivered, although
// the error's cause is marked as [Uncertain]: the cause is about another event,
// and this one waited behind it. NotSent(nil) is nil.
func NotSent(err error) error {
	if err == nil {
		return nil
	}
	return &certainty{err: err}
}

// IsUncertain reports whether err was marked by [Uncertain]. The outermost mark
// counts.
func IsUncertain(err error) bool {
	c := certaintyOf(err)
	return c != nil && c.maybe
}

// IsNotSent reports whether err was marked by [NotSent]. The outermost mark
// counts.
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
