package keyrow

import (
	"errors"
	"fmt"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Behind returns the error of a message that was not sent because the one
// before it failed with err. It spends no attempt.
func Behind(err error) error {
	if outbox.IsUnavailable(err) {
		cause := err
		if inner := errors.Unwrap(err); inner != nil {
			cause = inner
		}
		return outbox.Unavailable(driver.NotSent(fmt.Errorf("not sent, since an earlier message of its key was not delivered: %w", cause)))
	}
	delay, _, asked := driver.RetryDelay(err)
	if !asked {
		delay = time.Second
	}
	return outbox.RetryAfter(delay)
}
