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

// checkFair returns an error if fair lanes cannot work. If the database does not
// answer, it returns nil: the first divided claim checks again.
func (r *Relay) checkFair(ctx context.Context) error {
	store, ok := r.store.(driver.FairStore)
	if !ok {
		return errNotFair
	}
	ctx, cancel := context.WithTimeout(ctx, firstLook)
	defer cancel()
	err := store.CheckFair(ctx)
	if err == nil {
		r.fair.Store(true)
	}
	if errors.Is(err, outbox.ErrSchema) {
		return err
	}
	return nil
}

// divide lists the tenants of the lanes that must be divided, and has the core
// divide them. It returns a lane whose tenants could not be listed.
//
// If the store is not prepared, the lane is claimed as a whole. That happens if only
// LaneFor asks for a fair lane, or if the database was down at the start, when
// [Relay.checkFair] would have found out. So is a lane whose tenants cannot be
// listed, since all other lanes are in the same claim.
func (r *Relay) divide(ctx context.Context, p core.Polling) (core.Polling, unlisted) {
	var lists [][]driver.WaitingTenant
	var failed unlisted
	for i := range p.Wants {
		w := &p.Wants[i]
		if w.Tenants == 0 {
			continue
		}
		if failed.err != nil || time.Now().Before(r.unlisted[w.Lane]) {
			w.Tenants = 0
			continue
		}
		list, err := r.tenants(ctx, *w)
		switch {
		case errors.Is(err, outbox.ErrSchema), errors.Is(err, errNotFair):
			w.Tenants = 0
			r.unfair.Do(func() {
				r.log.Error("outbox: cannot divide the event type among tenants, so one may wait for another", "event_type", w.Lane, "error", err)
			})
		case err != nil:
			w.Tenants = 0
			failed = unlisted{w.Lane, err}
		default:
			lists = append(lists, list)
		}
	}
	if lists != nil {
		r.step(func(c *core.Core, now time.Time, _ *core.Effects) { p = c.Divide(now, p, lists) })
	}
	return p, failed
}

// unlisted is a lane whose tenants could not be listed.
type unlisted struct {
	lane string
	err  error
}

// unlistedFor is how long such a lane is then claimed as a whole: a list that takes
// too long delays every claim.
const unlistedFor = time.Minute

// noteUnlisted is called after the claim of that lane has succeeded: so the
// database is available, and the list is to blame.
func (r *Relay) noteUnlisted(u unlisted) {
	if u.err == nil {
		return
	}
	if r.unlisted == nil {
		r.unlisted = map[string]time.Time{}
	}
	r.unlisted[u.lane] = time.Now().Add(unlistedFor)
	call(r.hooks.LoopError, observe.LoopErrorInfo{Loop: "list tenants", Err: u.err})
	if n, tell := r.spells.wrongFor("tenants "+u.lane, unlistedFor); tell {
		r.log.Error("outbox: cannot list the tenants of the event type, so one may wait for another for a minute", "event_type", u.lane, "failures", n, "error", u.err)
	}
}

func (r *Relay) tenants(ctx context.Context, w core.Want) ([]driver.WaitingTenant, error) {
	store, ok := r.store.(driver.FairStore)
	if !ok {
		return nil, errNotFair
	}
	if !r.fair.Load() {
		if err := store.CheckFair(ctx); err != nil {
			return nil, err
		}
		r.fair.Store(true)
	}
	return store.Tenants(ctx, w.Lane, w.AfterTenant, w.Tenants)
}
