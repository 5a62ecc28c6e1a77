package relay

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/relay/core"
)

// pollLoop claims as much as the lanes have room for: without a pause while
// there is work, otherwise at each lane's interval or when woken.
func (r *Relay) pollLoop(ctx context.Context) {
	var wait core.Backoff
	for ctx.Err() == nil {
		var p core.Polling
		r.step(func(c *core.Core, now time.Time, fx *core.Effects) { p = c.Poll(now, fx) })
		var err error
		switch {
		case p.Look:
			err = r.lookForLanes(ctx)
		case len(p.Wants) > 0:
			err = r.claim(ctx, p)
		default:
			pause(ctx, p.Wait, r.wakes.of(core.PollLoop))
			continue
		}
		if r.report(ctx, doingClaim, err); err != nil {
			pause(ctx, wait.Next(), nil)
			continue
		}
		wait.Reset()
	}
}

// claim takes rows and hands them to their lanes.
func (r *Relay) claim(ctx context.Context, p core.Polling) error {
	claimCtx, cancel := r.outlast(ctx)
	defer cancel()
	p, failed := r.divide(claimCtx, p)
	sent := time.Now()
	rows, err := r.claimRows(claimCtx, p)
	if err != nil {
		r.step(func(c *core.Core, now time.Time, fx *core.Effects) { c.ClaimFailed(now, p, fx) })
		return err
	}
	r.noteUnlisted(failed)
	items := make([]core.Item, len(rows))
	for i := range rows {
		items[i] = core.NewItem(&rows[i], r.routes.find(&rows[i].Event), sent)
	}
	r.step(func(c *core.Core, now time.Time, fx *core.Effects) {
		if ctx.Err() != nil {
			c.Drain() // claimed rows are given back
		}
		c.Claimed(now, p, items, sent, fx)
	})
	return nil
}

// claimRows sends a claim, unless it asks for nothing: no tenant of its lanes is
// due.
func (r *Relay) claimRows(ctx context.Context, p core.Polling) ([]driver.Claimed, error) {
	if len(p.Wants) == 0 {
		return nil, nil
	}
	req := driver.ClaimRequest{Owner: r.owner, Lease: r.cfg.Lease, Wants: make([]driver.Want, len(p.Wants)), Age: p.Age}
	for i, w := range p.Wants {
		req.Wants[i] = w.Want
	}
	sent := time.Now()
	rows, err := r.store.Claim(ctx, req)
	call(r.hooks.Claimed, observe.StatementInfo{Rows: len(rows), Took: time.Since(sent), Err: err})
	return rows, err
}

// outlast returns a context for a claim. A claim that is cut off may have
// succeeded in the database, and its rows would lie idle for a lease; so it
// gets part of the drain timeout to finish.
func (r *Relay) outlast(ctx context.Context) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		defer cancel()
		pause(longer, r.cfg.DrainTimeout/5, nil)
	})
	return longer, func() { stop(); cancel() }
}

// lookForLanes finds out which of very many idle lanes have rows that are due.
func (r *Relay) lookForLanes(ctx context.Context) error {
	var due []string
	err := r.eachWaiting(ctx, func(w driver.WaitingLane) {
		if w.Age >= 0 {
			due = append(due, w.Lane)
		}
	})
	r.step(func(c *core.Core, now time.Time, fx *core.Effects) { c.Looked(now, due, fx) })
	return err
}
