package relay

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

var errNotFair = errors.New("relay: FairByTenant is set, but the store cannot claim by tenant: " +
	"use one that is a driver.FairStore, as all stores of this project are, or leave FairByTenant out")

// fair reports whether a lane that is known from the start is divided among
// tenants.
func (c Config) fair() bool {
	for _, l := range c.Lanes {
		if l.FairByTenant {
			return true
		}
	}
	return c.Lane.FairByTenant
}

// tenants divides claims of fair lanes among tenants.
type tenants struct {
	store    driver.FairStore // nil if the store cannot
	steps    *stepper
	log      *slog.Logger
	required bool        // a lane that is known from the start is fair
	prepared atomic.Bool // the store is prepared for fair claims
	unfair   atomic.Bool // it was logged that it is not
}

// check returns an error if fair lanes are required and cannot work. If the
// database does not answer, it returns nil: the first divided claim checks again.
func (t *tenants) check(ctx context.Context) error {
	if !t.required {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, firstLook)
	defer cancel()
	err := t.store.CheckFair(ctx)
	if err == nil {
		t.prepared.Store(true)
	}
	if errors.Is(err, outbox.ErrSchema) {
		return err
	}
	return nil
}

// divide lists the tenants of the lanes that must be divided, and has the core
// divide them.
//
// If the store is not prepared, the lane is claimed as a whole. That happens if only
// LaneFor asks for a fair lane, or if the database was down at the start, when
// [tenants.check] would have found out.
func (t *tenants) divide(ctx context.Context, p core.Polling) core.Polling {
	var lists [][]driver.WaitingTenant
	for i := range p.Wants {
		w := &p.Wants[i]
		if w.Tenants == 0 {
			continue
		}
		list, err := t.list(ctx, *w)
		switch {
		case errors.Is(err, outbox.ErrSchema), errors.Is(err, errNotFair):
			w.Whole()
			if !t.unfair.Swap(true) {
				t.log.Error("outbox: cannot divide the event type among tenants, so one may wait for another", "event_type", w.Lane, "error", err)
			}
		case err != nil:
			p.Unlisted(i, err)
		default:
			lists = append(lists, list)
		}
	}
	if lists != nil {
		t.steps.step(func(c *core.Core) { p = c.Claims.Divide(p, lists) })
	}
	return p
}

// list lists tenants of a lane that have waiting rows.
func (t *tenants) list(ctx context.Context, w core.Want) ([]driver.WaitingTenant, error) {
	if t.store == nil {
		return nil, errNotFair
	}
	if !t.prepared.Load() {
		if err := t.store.CheckFair(ctx); err != nil {
			return nil, err
		}
		t.prepared.Store(true)
	}
	return t.store.Tenants(ctx, w.Lane, w.AfterTenant, w.Tenants)
}
