package relay

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// retentionInterval is the pause between two looks at what people have left
// behind. It comes slowly.
const retentionInterval = time.Hour

// groupRetention is how long a group without letters is kept: for as long as the
// same failure is likely to come again.
const groupRetention = 24 * time.Hour

// retentionLoop deletes resolved dead letters, groups without letters and entries
// of the audit log past their retention, batch by batch.
func (r *Relay) retentionLoop(ctx context.Context) {
	letters, _ := r.store.(driver.DeadLetterStore)
	groups, _ := r.store.(driver.GroupStore)
	audit, _ := r.store.(driver.AuditStore)
	for next := r.cfg.SweepInterval; pause(ctx, next, nil); next = retentionInterval {
		if letters != nil {
			r.retain(ctx, "sweep dead letters", r.cfg.ResolvedRetention, letters.SweepDead)
		}
		if groups != nil {
			r.retain(ctx, "sweep groups of dead letters", groupRetention, groups.SweepGroups)
		}
		if audit != nil {
			r.retain(ctx, "sweep the audit log", r.cfg.AuditRetention, audit.SweepAudit)
		}
	}
}

// retain sweeps what is older than an age, unless that is 0.
func (r *Relay) retain(ctx context.Context, what string, age time.Duration, sweep func(context.Context, time.Duration, int) (int, error)) {
	for age > 0 && ctx.Err() == nil {
		n, err := sweep(ctx, age, r.cfg.SweepBatch)
		if r.report(ctx, what, err); err != nil || n < r.cfg.SweepBatch {
			return
		}
	}
}
