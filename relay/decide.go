package relay

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/sendoff-go/outbox"
)

// unroutableDelay is how long a row waits that was claimed and has no
// destination here, so that a relay that has one can take it.
const unroutableDelay = time.Minute

// decide turns the answer of a run into an outcome.
func (r *Relay) decide(it *item, err error, took time.Duration) {
	r.finishes(it.lane)
	it.outcome = outbox.Outcome{Held: it.held, Kind: outbox.Done, Attempts: it.attempts, Locator: it.locator}
	err, handed := handedOver(err)
	delay, counted, asked := outbox.RetryDelay(err)
	if it.target != nil && it.target.Remote() && classOf(err) == "timeout" {
		err = outbox.Unavailable(err) // a destination that hangs is away
	}
	var guilty bool
	var aside time.Duration
	switch {
	case r.phase == stopping && err != nil: // of a run that was cancelled
	case outbox.IsUnavailable(err):
		guilty, aside = it.breaker.unavailable(r, it, err)
	case !handed:
		it.breaker.unasked(r)
	default:
		it.breaker.answered(r, it)
	}
	switch {
	case err == nil:
		r.delivered(it, took)
	case it.problem != nil:
		r.dead(it, it.problem, "unreadable", it.attempts, took) // nothing was tried
	case r.phase == stopping && !outbox.IsPermanent(err):
		it.outcome.Kind = outbox.Release // interrupted by the shutdown, not failed
	case asked && !counted:
		r.release(it, err, delay, took)
	case errors.Is(err, outbox.ErrUnroutable) && r.cfg.Unroutable != UnroutableRetry:
		if r.cfg.Unroutable == UnroutableDead {
			r.dead(it, err, "unroutable", it.attempts, took)
		} else {
			r.release(it, err, unroutableDelay, took)
		}
	case outbox.IsUnavailable(err) && !guilty:
		r.release(it, err, max(delay, aside), took)
	case outbox.IsPermanent(err):
		r.dead(it, err, classOf(err), it.attempts+1, took)
	default:
		r.failed(it, err, delay, asked, took)
	}
	r.queueOutcome(it)
}

func (r *Relay) delivered(it *item, took time.Duration) {
	if r.hooks.Delivered != nil {
		r.hooks.Delivered(outbox.DeliveredInfo{
			Event: it.event, Attempt: it.attempts + 1, Hot: it.hot, Took: took, Waited: it.started.Sub(it.since),
		})
	}
}

// release gives the event back without counting an attempt.
func (r *Relay) release(it *item, err error, delay, took time.Duration) {
	it.outcome.Kind, it.outcome.Delay = outbox.Release, delay
	if r.hooks.Failed != nil {
		r.hooks.Failed(outbox.FailedInfo{Event: it.event, Attempt: it.attempts + 1, Err: err, Took: took, Next: delay})
	}
}

// failed counts an attempt: another one follows, or none.
func (r *Relay) failed(it *item, err error, delay time.Duration, asked bool, took time.Duration) {
	attempts := it.attempts + 1
	if attempts >= it.lane.cfg.MaxAttempts {
		r.dead(it, err, classOf(err), attempts, took)
		return
	}
	if !asked {
		delay = r.retryDelay(it.lane, attempts)
	}
	it.outcome.Kind, it.outcome.Attempts, it.outcome.Delay = outbox.Retry, attempts, delay
	r.reason(it, err, classOf(err), took)
	r.log.Debug("outbox: attempt failed", "event_id", it.event.ID, "event_type", it.event.Type, "attempt", attempts, "next", delay, "error", err)
	if r.hooks.Failed != nil {
		r.hooks.Failed(outbox.FailedInfo{Event: it.event, Attempt: attempts, Err: err, Took: took, Counted: true, Next: delay})
	}
}

// retryDelay is what the lane's policy says. One that panics must not end the
// process.
func (r *Relay) retryDelay(l *lane, attempts int) (delay time.Duration) {
	defer func() {
		if p := recover(); p != nil {
			if !l.badPolicy {
				r.log.Error("outbox: the retry policy panics, the default one is used in its place", "event_type", l.name, "panic", p, "stack", string(debug.Stack()))
			}
			l.badPolicy = true
			delay = outbox.Exponential{}.Delay(attempts)
		}
	}()
	return max(l.cfg.Retry.Delay(attempts), 0)
}

func (r *Relay) dead(it *item, err error, class string, attempts int, took time.Duration) {
	it.outcome.Kind, it.outcome.Attempts = outbox.Dead, attempts
	r.reason(it, err, class, took)
	r.log.Error("outbox: event is dead", "event_id", it.event.ID, "event_type", it.event.Type, "attempt", attempts, "error", err)
	if r.hooks.Dead != nil {
		r.hooks.Dead(outbox.FailedInfo{Event: it.event, Attempt: attempts, Err: err, Took: took, Counted: true})
	}
}

// reason notes why, as the row keeps it.
func (r *Relay) reason(it *item, err error, class string, took time.Duration) {
	it.outcome.Error = outbox.CleanText(fmt.Sprintf("%s: %s", class, err), outbox.MaxErrorLength)
	it.outcome.Failures = outbox.AppendFailure(it.failures, outbox.Failure{
		At: time.Now().UTC(), Took: took, Owner: r.owner, Attempt: it.outcome.Attempts, Error: it.outcome.Error,
	})
}

// classOf is the word before the message of a stored error.
func classOf(err error) string {
	var p *panicError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &p):
		return "panic"
	case outbox.IsPermanent(err):
		return "permanent"
	case outbox.IsUnavailable(err):
		return "unavailable"
	case errors.Is(err, errTimeout), errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	case errors.Is(err, outbox.ErrUnroutable):
		return "unroutable"
	}
	return fmt.Sprintf("%T", err)
}

// giveBack frees an event that waits and will not run here.
func (r *Relay) giveBack(it *item, delay time.Duration) {
	r.wait(it, -1)
	it.outcome = outbox.Outcome{Held: it.held, Kind: outbox.Release, Attempts: it.attempts, Delay: delay}
	r.queueOutcome(it)
	r.passKey(it)
}

// giveBackQueued frees everything that waits and that match holds for, but for
// what is being taken, which follows after the answer.
func (r *Relay) giveBackQueued(match func(*item) bool) {
	for _, it := range r.held {
		if it.state == queued && !it.taking && match(it) {
			r.giveBack(it, 0)
		}
	}
}

// queueOutcome hands the event to the settle loop. The payload is not needed
// any more.
func (r *Relay) queueOutcome(it *item) {
	it.state = decided
	r.weigh(it.lane, -it.size)
	it.size = 0
	*it.event = outbox.Event{
		ID: it.event.ID, Type: it.event.Type,
		AggregateType: it.event.AggregateType, AggregateID: it.event.AggregateID, // its key
	}
	r.counts[it.outcome.Kind]++
	r.decided = append(r.decided, it)
	r.unsettled++
	if len(r.decided) == 1 || len(r.decided) >= r.cfg.SettleBatch {
		r.settleWake.signal()
	}
}
