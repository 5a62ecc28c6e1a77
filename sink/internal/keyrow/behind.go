package keyrow

import (
	"errors"
	"fmt"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Behind is the answer for a message that was not sent because of the one before
// it, which failed with err. No attempt is spent.
func Behind(err error) error {
	if outbox.IsUnavailable(err) {
		cause := err
		if inner := errors.Unwrap(err); inner != nil {
			cause = inner
		}
		return outbox.Unavailable(fmt.Errorf("not sent, since an earlier message of its key was not delivered: %w", cause))
	}
	delay, _, asked := driver.RetryDelay(err)
	if !asked {
		delay = time.Second
	}
	return outbox.RetryAfter(delay)
}
