package relay

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/observe"
)

// forever is the age for rows that are kept: the sweep then only moves rows
// that other programs marked as dead.
const forever = 100 * 365 * 24 * time.Hour

// sweepLoop deletes delivered rows past their retention, batch by batch,
// without a pause while batches are full. The store lets one instance sweep at
// a time.
func (r *Relay) sweepLoop(ctx context.Context) {
	age := r.cfg.Retention
	switch r.cfg.Delivered {
	case DeleteAtSettle:
		age = 0 // rows kept under an earlier configuration
	case KeepForever:
		age = forever
	case KeepForRetention:
	}
	for pause(ctx, r.cfg.SweepInterval, nil) {
		for ctx.Err() == nil {
			start := time.Now()
			n, err := r.store.Sweep(ctx, age, r.cfg.SweepBatch)
			if r.report(ctx, "sweep", err); err != nil {
				break
			}
			if n > 0 && r.hooks.Swept != nil {
				r.hooks.Swept(observe.StatementInfo{Rows: n, Took: time.Since(start)})
			}
			if n < r.cfg.SweepBatch {
				break
			}
		}
		r.groupDead(ctx)
	}
}

// groupDead puts dead letters into their groups, those that other programs made
// as well.
func (r *Relay) groupDead(ctx context.Context) {
	groups, ok := r.store.(driver.GroupStore)
	for ok && ctx.Err() == nil {
		n, err := groups.GroupDead(ctx, groupBatch)
		if r.report(ctx, "group dead letters", err); err != nil || n < groupBatch {
			return
		}
	}
}

// groupBatch is how many letters are locked while their errors are compared.
const groupBatch = 200
