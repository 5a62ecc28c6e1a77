package outboxtest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sendoff-go/outbox"
)

// Result is what became of one event that [Deliver] handed over.
type Result struct {
	Event   outbox.Event
	Attempt int
	Err     error // of the listener
}

// Deliver hands every due event that the registry has a destination for to it,
// one after the other in the caller's goroutine, and settles each: done, dead
// for a permanent error, due again at once for any other. It returns when no
// event is due that it has not handed over, so a failing one is tried once per
// call.
func Deliver(ctx context.Context, store outbox.Store, reg *outbox.Registry) ([]Result, error) {
	if err := reg.Err(); err != nil {
		return nil, err
	}
	owner := outbox.NewOwner("outboxtest")
	tried := map[string]bool{}
	var results []Result
	for {
		claimed, err := claimDue(ctx, store, reg, owner)
		if err != nil {
			return results, err
		}
		fresh := false
		outcomes := make([]outbox.Outcome, 0, len(claimed))
		for _, c := range claimed {
			if tried[c.EventID] {
				outcomes = append(outcomes, outbox.Outcome{Held: c.Held, Kind: outbox.Release, Attempts: c.Attempts})
				continue
			}
			tried[c.EventID], fresh = true, true
			err := handle(ctx, reg, c)
			results = append(results, Result{Event: c.Event, Attempt: c.Attempts + 1, Err: err})
			outcomes = append(outcomes, outcomeOf(c, err))
		}
		if stale, err := store.Settle(ctx, owner, outcomes, true); err != nil || len(stale) > 0 {
			return results, errors.Join(err, staleError(stale))
		}
		if !fresh {
			return results, nil
		}
	}
}

func claimDue(ctx context.Context, store outbox.Store, reg *outbox.Registry, owner outbox.Owner) ([]outbox.Claimed, error) {
	lanes, err := store.Lanes(ctx, "", 10_000)
	if err != nil {
		return nil, err
	}
	var wants []outbox.Want
	for _, l := range lanes {
		if reg.Covers(l.Lane) {
			wants = append(wants, outbox.Want{Lane: l.Lane, Rows: 1000})
		}
	}
	if len(wants) == 0 {
		return nil, nil
	}
	return store.Claim(ctx, outbox.ClaimRequest{Owner: owner, Lease: time.Hour, Wants: wants})
}

func handle(ctx context.Context, reg *outbox.Registry, c outbox.Claimed) error {
	if c.Problem != nil {
		return outbox.Permanent(c.Problem)
	}
	t := reg.Lookup(c.Event.AggregateType, c.Event.Type)
	if t == nil {
		return outbox.ErrUnroutable
	}
	ctx = outbox.ContextWithDeliveries(ctx, []outbox.Delivery{{EventID: c.EventID, Attempt: c.Attempts + 1, Seq: c.Seq, CreatedAt: c.CreatedAt}})
	return t.DeliverOne(ctx, c.Event)
}

func outcomeOf(c outbox.Claimed, err error) outbox.Outcome {
	o := outbox.Outcome{Held: c.Held, Kind: outbox.Done, Attempts: c.Attempts}
	if err == nil {
		return o
	}
	delay, counted, _ := outbox.RetryDelay(err)
	o.Delay, o.Error, o.Failures = delay, outbox.ErrorText(err), c.Failures
	switch {
	case !counted, outbox.IsUnavailable(err):
		o.Kind = outbox.Release
	case outbox.IsPermanent(err):
		o.Kind, o.Attempts = outbox.Dead, c.Attempts+1
	default:
		o.Kind, o.Attempts = outbox.Retry, c.Attempts+1
	}
	return o
}

func staleError(stale []outbox.Held) error {
	if len(stale) == 0 {
		return nil
	}
	return fmt.Errorf("outboxtest: %d events were taken by somebody else meanwhile: stop the relays on this store", len(stale))
}
