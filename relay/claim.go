package relay

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/relay/core"
)

// claims takes rows and hands them to their lanes. Its user makes one claim at a
// time.
type claims struct {
	store   driver.Store
	owner   driver.Owner
	lease   time.Duration
	grace   time.Duration // for a claim that is sent when the relay shuts down
	tenants *tenants
	routes  *routes
	steps   *stepper
	claimed func(observe.StatementInfo)
}

// claim makes one claim, of what the core wants.
func (l *claims) claim(ctx context.Context, p core.Polling) error {
	claimCtx, cancel := l.outlast(ctx)
	defer cancel()
	p = l.tenants.divide(claimCtx, p)
	sent := time.Now()
	rows, err := l.send(claimCtx, p)
	if err != nil {
		l.steps.step(func(c *core.Core) { c.Claims.Failed(p) })
		return err
	}
	items := make([]core.Item, len(rows))
	for i := range rows {
		items[i] = core.NewItem(&rows[i], l.routes.find(&rows[i].Event), sent)
	}
	l.steps.step(func(c *core.Core) {
		if ctx.Err() != nil {
			c.Drain() // claimed rows are given back
		}
		c.Claims.Claimed(p, items, sent)
	})
	return nil
}

// send sends a claim, unless it asks for nothing: no tenant of its lanes is due.
func (l *claims) send(ctx context.Context, p core.Polling) ([]driver.Claimed, error) {
	if len(p.Wants) == 0 {
		return nil, nil
	}
	req := driver.ClaimRequest{Owner: l.owner, Lease: l.lease, Wants: make([]driver.Want, len(p.Wants)), Age: p.Age}
	for i, w := range p.Wants {
		req.Wants[i] = w.Want
	}
	sent := time.Now()
	rows, err := l.store.Claim(ctx, req)
	call(l.claimed, observe.StatementInfo{Rows: len(rows), Took: time.Since(sent), Err: err})
	return rows, err
}

// outlast returns a context for a claim. A claim that is cut off may have
// succeeded in the database, and its rows would lie idle for a lease; so it
// gets part of the drain timeout to finish.
func (l *claims) outlast(ctx context.Context) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		defer cancel()
		pause(longer, l.grace, nil)
	})
	return longer, func() { stop(); cancel() }
}
