package relay

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/relay/core"
)

// settles writes batches of outcomes.
type settles struct {
	store   driver.Store
	owner   driver.Owner
	keep    bool // delivered rows
	settled func(observe.StatementInfo)
	deaths  *deaths // nil if nobody is told of them
	reports *reporter
	log     *slog.Logger
}

// settle sends one statement. It formats the history of failures here, outside
// the lock.
func (s *settles) settle(ctx context.Context, b *core.Batch, held []driver.Held, outcomes []core.Outcome) core.SettleAnswer {
	rows := make([]driver.Outcome, len(b.Items))
	for i, it := range b.Items {
		rows[i] = s.outcome(it, held[i], &outcomes[i])
	}
	sent := time.Now()
	stale, err := s.store.Settle(ctx, s.owner, rows, s.keep)
	took := time.Since(sent)
	var locked *driver.LockedError
	isLocked := errors.As(err, &locked)
	info := observe.StatementInfo{Rows: len(rows), Stale: len(stale), Took: took, Err: err}
	if b.Repeated {
		info.Unknown = len(stale)
	}
	call(s.settled, info)
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
	if err == nil && s.deaths != nil {
		s.deaths.settled(b.Items, outcomes, rows, stale, a.Locked)
	}
	s.reports.report(ctx, doingSettle, err)
	switch {
	case err != nil:
	case len(stale) > 0 && b.Repeated:
		s.log.Info("outbox: outcomes were already written by an earlier try, or came too late", "events", len(stale))
	case len(stale) > 0:
		s.log.Warn("outbox: outcomes came too late and changed nothing", "events", len(stale))
	}
	return a
}

// outcome makes the outcome as the store takes it.
func (s *settles) outcome(it *core.Item, held driver.Held, o *core.Outcome) driver.Outcome {
	out := driver.Outcome{Held: held, Kind: o.Kind, Attempts: o.Attempts, Delay: o.Delay}
	if o.Kind == driver.Done {
		out.Token = o.Token
	}
	switch {
	case o.Kind == driver.Retry, o.Kind == driver.Dead:
		out.Error = driver.CleanText(o.Reason.String(), driver.MaxErrorLength)
		out.Failures = driver.AppendFailure(it.Failures, s.failure(it, o))
	case o.Kind == driver.Release && (o.Reason.Maybe || o.Begins || it.Left()):
		out.Failures = driver.AppendFailure(it.Failures, s.failure(it, o))
	}
	return out
}

// failure is the outcome as the row's history keeps it. If an earlier relay
// disappeared with the event, it may have delivered it. The outcome clears the
// row's own record of that, so the history has to say it.
func (s *settles) failure(it *core.Item, o *core.Outcome) driver.Failure {
	why := o.Reason
	f := driver.Failure{Owner: s.owner, MaybeBefore: it.Left()}
	switch {
	case o.Kind != driver.Release || o.Begins:
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
