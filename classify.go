package outbox

import (
	"errors"
	"fmt"
	"time"

	"github.com/sendoff-go/outbox/internal/inner"
)

// Permanent marks an error that no retry can fix: the event is dead at once.
// Permanent(nil) is nil.
func Permanent(err error) error {
	if err == nil {
		return nil
	}
	return &classified{err: err, class: classPermanent}
}

// Unavailable marks an error of the destination rather than the event: refused,
// lost, timed out, overloaded. It spends no attempt; the destination is probed
// until it answers again. Unavailable(nil) is nil.
func Unavailable(err error) error {
	if err == nil {
		return nil
	}
	return &classified{err: err, class: classUnavailable}
}

// RetryAfter says when to try again, in place of the retry policy.
//
// Returned by itself it means "not yet" and spends no attempt. Joined with an
// error it sets the time of that error's retry, and the attempt counts:
//
//	return outbox.RetryAfter(time.Minute)                        // not counted
//	return errors.Join(err, outbox.RetryAfter(time.Minute))      // counted
//
// By itself it means at least 100 ms.
func RetryAfter(d time.Duration) error { return &retryAfter{max(d, 0)} }

// IsPermanent reports whether err was marked by [Permanent].
func IsPermanent(err error) bool { return hasClass(err, classPermanent) }

// IsUnavailable reports whether err was marked by [Unavailable].
func IsUnavailable(err error) bool { return hasClass(err, classUnavailable) }

type class int

const (
	classPermanent class = iota + 1
	classUnavailable
)

type classified struct {
	err   error
	class class
}

func (c *classified) Error() string { return c.err.Error() }
func (c *classified) Unwrap() error { return c.err }

type retryAfter struct{ d time.Duration }

// Wait is how package driver reads the time.
func (r *retryAfter) Wait() inner.Wait { return inner.Wait(r.d) }

func (r *retryAfter) Error() string { return fmt.Sprintf("retry after %s", r.d) }

func hasClass(err error, want class) bool {
	var c *classified
	return errors.As(err, &c) && c.class == want
}
