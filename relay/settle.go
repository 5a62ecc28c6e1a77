package relay

import (
	"context"
	"errors"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/relay/core"
)

// settleLoop writes outcomes in batches. An outcome waits a little for others;
// a statement that fails is repeated, since an outage of the database must
// never turn a delivery into a failure.
func (r *Relay) settleLoop(ctx context.Context) {
	r.settling(ctx, core.SettleLoop, func(c *core.Core, now time.Time) (*core.Batch, time.Duration) {
		return c.NextSettle(now, false)
	})
}

// settleBesideLoop writes full batches in parallel with settleLoop.
func (r *Relay) settleBesideLoop(ctx context.Context) {
	r.settling(ctx, core.BesideLoop, func(c *core.Core, now time.Time) (*core.Batch, time.Duration) {
		return c.NextSettle(now, true)
	})
}

// apartLoop writes outcomes that would hold up others.
func (r *Relay) apartLoop(ctx context.Context) {
	r.settling(ctx, core.ApartLoop, (*core.Core).NextApart)
}

// settling sends the batches of next until ctx ends. The rest is then left to
// its leases.
func (r *Relay) settling(ctx context.Context, loop core.Loops, next func(*core.Core, time.Time) (*core.Batch, time.Duration)) {
	for {
		var b *core.Batch
		var wait time.Duration
		var outcomes []core.Outcome
		var held []driver.Held
		r.step(func(c *core.Core, now time.Time, _ *core.Effects) {
			if b, wait = next(c, now); b == nil {
				return
			}
			outcomes, held = make([]core.Outcome, len(b.Items)), heldOf(b.Items)
			for i, it := range b.Items {
				outcomes[i] = it.Outcome()
			}
		})
		if b == nil {
			if !pause(ctx, wait, r.wakes.of(loop)) {
				return
			}
			continue
		}
		answer := r.settle(ctx, b, held, outcomes)
		r.step(func(c *core.Core, now time.Time, fx *core.Effects) {
			c.Settled(now, b, answer, fx)
		})
	}
}

// settle sends one statement. It formats the history of failures here, outside
// the lock.
func (r *Relay) settle(ctx context.Context, b *core.Batch, held []driver.Held, outcomes []core.Outcome) core.SettleAnswer {
	rows := make([]driver.Outcome, len(b.Items))
	for i, it := range b.Items {
		rows[i] = r.outcome(it, held[i], &outcomes[i])
	}
	sent := time.Now()
	stale, err := r.store.Settle(ctx, r.owner, rows, r.cfg.Delivered != DeleteAtSettle)
	took := time.Since(sent)
	var locked *driver.LockedError
	isLocked := errors.As(err, &locked)
	info := observe.StatementInfo{Rows: len(rows), Stale: len(stale), Took: took, Err: err}
	if b.Repeated {
		info.Unknown = len(stale)
	}
	call(r.hooks.Settled, info)
	a := core.SettleAnswer{Stale: stale, Took: took, Cause: err}
	switch {
	case err == nil:
	case isLocked:
		a.Locked = locked.Rows
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		a.Err = core.SettleSlow
	case errors.Is(err, outbox.ErrStoreDown), ctx.Err() != nil:
		a.Err = core.SettleDown
	default:
		a.Err = core.SettleRefused
	}
	if isLocked {
		err = nil // a LockedError is an answer
	}
	if err == nil {
		r.settledDeaths(b.Items, outcomes, rows, stale, a.Locked)
	}
	r.report(ctx, doingSettle, err)
	switch {
	case err != nil:
	case len(stale) > 0 && b.Repeated:
		r.log.Info("outbox: outcomes were already written by an earlier try, or came too late", "events", len(stale))
	case len(stale) > 0:
		r.log.Warn("outbox: outcomes came too late and changed nothing", "events", len(stale))
	}
	return a
}

// outcome makes the outcome as the store takes it.
func (r *Relay) outcome(it *core.Item, held driver.Held, o *core.Outcome) driver.Outcome {
	out := driver.Outcome{Held: held, Kind: o.Kind, Attempts: o.Attempts, Delay: o.Delay}
	if o.Kind == driver.Done {
		out.Token = o.Token
	}
	switch {
	case o.Kind == driver.Retry, o.Kind == driver.Dead:
		out.Error = driver.CleanText(o.Reason.String(), driver.MaxErrorLength)
		out.Failures = driver.AppendFailure(it.Failures, r.failure(it, o))
	case o.Kind == driver.Release && (o.Reason.Maybe || it.Recovered > 0):
		out.Failures = driver.AppendFailure(it.Failures, r.failure(it, o))
	}
	return out
}

// failure is the outcome as the row's history keeps it. If an earlier relay
// disappeared with the event, it may have delivered it. The outcome clears the
// row's own record of that, so the history has to say it.
func (r *Relay) failure(it *core.Item, o *core.Outcome) driver.Failure {
	why := o.Reason
	f := driver.Failure{Owner: r.owner, MaybeBefore: it.Recovered > 0}
	switch {
	case o.Kind != driver.Release:
		f.Attempt = o.Attempts
	case !why.Maybe: // only the relay that disappeared has to be noted
		why = core.Reason{Class: driver.ClassCrash, Text: "a relay disappeared before it reported an outcome", At: time.Now()}
	}
	f.At, f.Took, f.Class, f.Maybe, f.Error = why.At.UTC(), why.Took, why.Class, why.Maybe, why.String()
	if it.Dest != nil {
		f.Destination = it.Dest.Name
	}
	return f
}
