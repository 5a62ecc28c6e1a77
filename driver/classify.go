package driver

import (
	"errors"
	"time"

	"github.com/sendoff-go/outbox/internal/inner"
)

// RetryDelay returns the time that [outbox.RetryAfter] asked for. Counted
// reports whether the attempt counts, which it does unless err is RetryAfter by
// itself.
func RetryDelay(err error) (d time.Duration, counted, ok bool) {
	if err == nil { // for every delivered event: avoid the allocation
		return 0, true, false
	}
	var after waiter
	if !errors.As(err, &after) {
		return 0, true, false
	}
	//nolint:errorlint // by itself, not wrapped, is the very question
	_, bare := err.(waiter)
	return time.Duration(after.Wait()), !bare, true
}

// waiter is what outbox.RetryAfter returns. Its internal result type keeps
// errors of other packages from implementing it.
type waiter interface {
	error
	Wait() inner.Wait
}
