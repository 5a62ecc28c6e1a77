package demo

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/sendoff-go/outbox"
)

// accounting is a destination that is down now and then: it writes invoices.
type accounting struct {
	books *books
	start time.Time
	open  atomic.Bool // the shop has closed: accounting stays up for the last events
}

var errAccounting = errors.New("503 Service Unavailable: accounting is down for 12 s of every minute")

// outage reports whether accounting is down at a time after the start.
func outage(elapsed time.Duration) bool {
	at := elapsed % time.Minute
	return at >= 20*time.Second && at < 32*time.Second
}

// Check implements driver.Checker.
func (a *accounting) Check(context.Context) error {
	if outage(time.Since(a.start)) && !a.open.Load() {
		return errAccounting
	}
	return nil
}

// Send implements [outbox.Sink].
func (a *accounting) Send(ctx context.Context, batch []outbox.Message) []error {
	errs := make([]error, len(batch))
	down := a.Check(ctx)
	for i, m := range batch {
		if down != nil {
			errs[i] = outbox.Unavailable(down)
			continue
		}
		errs[i] = a.books.receive(m.Event, m.Delivery, func(int) error {
			_, err := invoiceRequested.Decode(m.Event)
			return err
		})
	}
	return errs
}
