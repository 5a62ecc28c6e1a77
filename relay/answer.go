package relay

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// errTimeout is the failure of a run that ignored the end of its context.
var errTimeout = errors.New("relay: deadline of the run exceeded")

// answer says what an error means. It asks the retry policy, which is code of
// the user, and so it is called outside of the lock. So are the methods of the
// error, which panic if it is a nil pointer in an interface.
func (r *Relay) answer(run *core.Run, it *core.Item, err error, took time.Duration) (a core.Answer) {
	if err == nil {
		return core.Answer{Took: took}
	}
	defer func() {
		if p := recover(); p != nil {
			a = core.Answer{Kind: core.Failed, Text: fmt.Sprintf("the error (%T) panics when it is read: %v", err, p), Took: took}
			a.Err = errors.New(a.Text)
			a.Retry = r.retryDelay(it.Lane().Name, it.Attempts+1)
		}
	}()
	err, handed := handedOver(err)
	delay, counted, asked := driver.RetryDelay(err)
	if t := targetOf(it.Dest); t != nil && t.Remote() && classOf(err) == "timeout" {
		err = outbox.Unavailable(err) // a destination that hangs is away
	}
	inferred := handed && !asked && r.isOutage(run, it, err)
	if inferred {
		err = outbox.Unavailable(err)
	}
	a = core.Answer{
		Kind: core.Failed, Unasked: !handed, Inferred: inferred, Delay: delay, Retry: delay, Class: classOf(err), Err: err, Took: took,
		Broken: errors.Is(err, context.Canceled),
	}
	switch {
	case it.Problem != nil:
		a.Kind, a.Class, a.Err = core.Unreadable, "unreadable", it.Problem
	case asked && !counted:
		a.Kind = core.NotYet
	case errors.Is(err, driver.ErrUnroutable) && r.cfg.Unroutable != UnroutableRetry:
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
		a.Retry = r.retryDelay(it.Lane().Name, it.Attempts+1)
	}
	return a
}

// isOutage reports whether a listener's error, which it has not marked, says that
// the other side is away. After the run's own deadline it says nothing: a call
// that is broken off ends with an error of the network, too.
func (r *Relay) isOutage(run *core.Run, it *core.Item, err error) bool {
	t := targetOf(it.Dest)
	return t != nil && !t.Remote() && r.routes.config(it.Lane().Name).NetworkErrors == NetworkIsOutage &&
		!outbox.IsPermanent(err) && isNetworkError(err) && run.Handle.(*runContext).Err() == nil
}

// answersFor gives every event of a run the same error.
func (r *Relay) answersFor(run *core.Run, err error) []core.Answer {
	answers := make([]core.Answer, len(run.Items))
	for i, it := range run.Items {
		answers[i] = r.answer(run, it, err, time.Since(it.Started()))
	}
	return answers
}

// giveUp settles the events of a run that ignores the end of its context.
func (r *Relay) giveUp(run *core.Run) {
	answers := r.answersFor(run, errTimeout)
	r.step(func(c *core.Core, now time.Time, fx *core.Effects) { c.GiveUp(now, run, answers, fx) })
}

// retryDelay is what the lane's policy says. One that panics must not end the
// process.
func (r *Relay) retryDelay(lane string, attempts int) (delay time.Duration) {
	defer func() {
		if p := recover(); p != nil {
			if _, known := r.policies.LoadOrStore(lane, true); !known {
				r.log.Error("outbox: the retry policy panics, the default one is used in its place", "event_type", lane, "panic", p, "stack", string(debug.Stack()))
			}
			delay = defaultRetry.Delay(attempts)
		}
	}()
	return max(r.routes.config(lane).Retry.Delay(attempts), 0)
}

// classOf is the word before the message of a stored error, for what the message
// alone does not tell: what the relay made of it.
func classOf(err error) string {
	switch {
	case err == nil, errors.As(err, new(*panicError)): // which says so itself
		return ""
	case outbox.IsPermanent(err):
		return "permanent"
	case outbox.IsUnavailable(err):
		return "unavailable"
	case errors.Is(err, errTimeout), errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	case errors.Is(err, driver.ErrUnroutable):
		return "unroutable"
	}
	return ""
}

// unroutable is the failure of an event without a destination.
func (r *Relay) unroutable() error {
	if r.cfg.Advice == "" {
		return driver.ErrUnroutable
	}
	return fmt.Errorf("%w: %s", driver.ErrUnroutable, r.cfg.Advice)
}
