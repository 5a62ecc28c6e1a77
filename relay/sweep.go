package relay

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox"
)

// sweepLoop deletes delivered rows past their retention, batch by batch, and
// without a pause while batches are full. The store lets one instance at a
// time do it.
func (r *Relay) sweepLoop(ctx context.Context) {
	if r.cfg.Retention < 0 {
		return
	}
	for pause(ctx, r.cfg.SweepInterval, nil) {
		for ctx.Err() == nil {
			start := time.Now()
			n, err := r.store.Sweep(ctx, r.cfg.Retention, r.cfg.SweepBatch)
			if err != nil {
				r.loopError(ctx, "sweep", err)
				break
			}
			if n > 0 && r.hooks.Swept != nil {
				r.hooks.Swept(outbox.StatementInfo{Rows: n, Took: time.Since(start)})
			}
			if n < r.cfg.SweepBatch {
				break
			}
		}
	}
}
