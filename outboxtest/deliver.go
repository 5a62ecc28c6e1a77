package outboxtest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Result is what became of one event that [Deliver] handed over.
type Result struct {
	Event   outbox.Event
	Attempt int
	Err     error // of the listener
}

// Deliver hands every due event to its destination in the registry, one after
// the other in the caller's goroutine, and settles each: done, dead for a
// permanent error, due again at once for any other. It skips event types
// without a destination. It tries each event once, so a failing one is tried
// once per call.
func Deliver(ctx context.Context, store driver.Store, reg *outbox.Registry) ([]Result, error) {
	if err := reg.Err(); err != nil {
		return nil, err
	}
	owner := driver.NewOwner("outboxtest")
	tried := map[string]bool{}
	var results []Result
	for {
		claimed, err := claimDue(ctx, store, reg, owner)
		if err != nil {
			return results, err
		}
		fresh := false
		outcomes := make([]driver.Outcome, 0, len(claimed))
		for _, c := range claimed {
			if tried[c.EventID] {
				outcomes = append(outcomes, driver.Outcome{Held: c.Held, Kind: driver.Release, Attempts: c.Attempts})
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

func claimDue(ctx context.Context, store driver.Store, reg *outbox.Registry, owner driver.Owner) ([]driver.Claimed, error) {
	lanes, err := store.Lanes(ctx, "", 10_000)
	if err != nil {
		return nil, err
	}
	var wants []driver.Want
	for _, l := range lanes {
		if reg.Covers(l.Lane) {
			wants = append(wants, driver.Want{Lane: l.Lane, Rows: 1000})
		}
	}
	if len(wants) == 0 {
		return nil, nil
	}
	return store.Claim(ctx, driver.ClaimRequest{Owner: owner, Lease: time.Hour, Wants: wants})
}

func handle(ctx context.Context, reg *outbox.Registry, c driver.Claimed) error {
	if c.Problem != nil {
		return outbox.Permanent(c.Problem)
	}
	t := reg.Lookup(c.Event.AggregateType, c.Event.Type)
	if t == nil {
		return driver.ErrUnroutable
	}
	ctx = driver.ContextWithDeliveries(ctx, []outbox.Delivery{{EventID: c.EventID, Attempt: c.Attempts + 1, Seq: c.Seq, CreatedAt: c.CreatedAt}})
	return driver.DestinationOf(t).DeliverOne(ctx, c.Event)
}

func outcomeOf(c driver.Claimed, err error) driver.Outcome {
	o := driver.Outcome{Held: c.Held, Kind: driver.Done, Attempts: c.Attempts}
	if err == nil {
		return o
	}
	delay, counted, _ := driver.RetryDelay(err)
	o.Delay, o.Error, o.Failures = delay, driver.ErrorText(err), c.Failures
	switch {
	case !counted, outbox.IsUnavailable(err):
		o.Kind = driver.Release
	case outbox.IsPermanent(err):
		o.Kind, o.Attempts = driver.Dead, c.Attempts+1
	default:
		o.Kind, o.Attempts = driver.Retry, c.Attempts+1
	}
	return o
}

func staleError(stale []driver.Held) error {
	if len(stale) == 0 {
		return nil
	}
	return fmt.Errorf("outboxtest: %d events were claimed by others meanwhile: stop the relays on this store", len(stale))
}
