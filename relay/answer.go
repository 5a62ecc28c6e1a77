package relay

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// errTimeout is the error of a run that ignored the end of its context.
var errTimeout = errors.New("relay: deadline of the run exceeded")

// classifier says what the errors of destinations mean, and when to try again.
type classifier struct {
	routes     *routes
	unroutable Unroutable
	log        *slog.Logger
	panicked   sync.Map // lanes whose retry policy panicked, which is logged once
}

// answer classifies an error. It calls the retry policy, which is the user's
// code, so it must be called without the lock. The methods of the error are the
// user's code, too, and panic if it is a nil pointer in an interface.
func (c *classifier) answer(run *core.Run, it *core.Item, err error, took time.Duration) (a core.Answer) {
	if err == nil {
		return core.Answer{Took: took}
	}
	defer func() {
		if p := recover(); p != nil {
			a = core.Answer{Kind: core.Failed, Class: driver.ClassFailed, Maybe: true, Text: fmt.Sprintf("the error (%T) panics when it is formatted: %v", err, p), Took: took}
			a.Err = errors.New(a.Text)
			a.Retry = c.retryDelay(it.Lane().Name, it.Attempts+1)
		}
	}()
	err, handed := handedOver(err)
	maybe := handed && mayHaveDelivered(err)
	delay, counted, asked := driver.RetryDelay(err)
	if t := targetOf(it.Dest); t != nil && t.Remote() && classOf(err) == driver.ClassTimeout {
		err = outbox.Unavailable(err) // a destination that hangs is unavailable
	}
	inferred := handed && !asked && c.isOutage(run, it, err)
	if inferred {
		err = outbox.Unavailable(err)
	}
	a = core.Answer{
		Kind: core.Failed, Unasked: !handed, Inferred: inferred, Delay: delay, Retry: delay, Class: classOf(err), Maybe: maybe, Err: err, Took: took,
		Broken: errors.Is(err, context.Canceled),
	}
	switch {
	case it.Problem != nil:
		a.Kind, a.Class, a.Err = core.Unreadable, driver.ClassUnreadable, it.Problem
	case asked && !counted:
		a.Kind = core.NotYet
	case errors.Is(err, driver.ErrUnroutable) && c.unroutable != UnroutableRetry:
		a.Kind = core.NoRoute
	case outbox.IsUnavailable(err):
		a.Kind = core.Unavailable
	case outbox.IsPermanent(err):
		a.Kind = core.Permanent
	}
	a.Text = a.Err.Error()
	if p := (*panicError)(nil); errors.As(a.Err, &p) {
		a.Text = p.history()
	}
	if !asked && (a.Kind == core.Failed || a.Kind == core.Unavailable) {
		a.Retry = c.retryDelay(it.Lane().Name, it.Attempts+1)
	}
	return a
}

// isOutage reports whether an unclassified error of a listener means that the
// other side is unavailable. After the run's own deadline it means nothing: a
// call that was cut off also ends with a network error.
func (c *classifier) isOutage(run *core.Run, it *core.Item, err error) bool {
	t := targetOf(it.Dest)
	return t != nil && !t.Remote() && c.routes.config(it.Lane().Name).NetworkErrors == NetworkIsOutage &&
		!outbox.IsPermanent(err) && !outbox.IsUnavailable(err) && isNetworkError(err) && run.Handle.(*runContext).Err() == nil
}

// answersFor gives every event of a run the same error.
func (c *classifier) answersFor(run *core.Run, err error) []core.Answer {
	answers := make([]core.Answer, len(run.Items))
	for i, it := range run.Items {
		answers[i] = c.answer(run, it, err, time.Since(it.Started()))
	}
	return answers
}

// retryDelay asks the lane's policy. One that panics must not end the process.
func (c *classifier) retryDelay(lane string, attempts int) (delay time.Duration) {
	defer func() {
		if p := recover(); p != nil {
			if _, known := c.panicked.LoadOrStore(lane, true); !known {
				c.log.Error("outbox: the retry policy panicked, using the default policy", "event_type", lane, "panic", p, "stack", string(debug.Stack()))
			}
			delay = defaultRetry.Delay(attempts)
		}
	}()
	return max(c.routes.config(lane).Retry.Delay(attempts), 0)
}

// classOf shows how the relay classified an error, which its message alone does
// not.
func classOf(err error) driver.FailureClass {
	switch {
	case errors.As(err, new(*panicError)):
		return driver.ClassPanic
	case outbox.IsPermanent(err):
		return driver.ClassPermanent
	case outbox.IsUnavailable(err):
		return driver.ClassUnavailable
	case errors.Is(err, errTimeout), errors.Is(err, context.DeadlineExceeded):
		return driver.ClassTimeout
	case errors.Is(err, driver.ErrUnroutable):
		return driver.ClassUnroutable
	case errors.Is(err, context.Canceled):
		return driver.ClassCancelled
	case errors.Is(err, errGoexit):
		return driver.ClassGoexit
	}
	return driver.ClassFailed
}

// mayHaveDelivered reports whether an event may have been delivered although its
// destination returned an error: the error says so, or there was no answer.
func mayHaveDelivered(err error) bool {
	if driver.IsUncertain(err) || driver.IsNotSent(err) {
		return driver.IsUncertain(err)
	}
	switch classOf(err) {
	case driver.ClassTimeout, driver.ClassPanic, driver.ClassGoexit:
		return true
	}
	return false
}
