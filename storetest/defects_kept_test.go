package storetest

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// keptDefects are those of the sweeps of what is kept for a while, beside a lock.
func keptDefects() []defect {
	const (
		letters = "a sweep of dead letters deletes what stands behind those that another session has locked"
		groups  = "a sweep of groups deletes what stands behind those that another session has locked"
		alerts  = "a sweep of alerts deletes what stands behind those that another session has locked"
		jobs    = "a sweep of jobs deletes what stands behind those that another session has locked"
		audit   = "an entry of the audit log that another session has locked keeps no others from being swept"
	)
	return []defect{
		{"a sweep of the audit log deletes nothing beside a lock", audit, false, func(b *broken) {
			b.sweepAudit = func(ctx context.Context, age time.Duration, limit int) (int, error) {
				if b.meetsLock() {
					return 0, nil
				}
				return b.Store.SweepAudit(ctx, age, limit)
			}
		}},
		{"a sweep of letters waits for a lock until its time is over", letters, false, func(b *broken) {
			b.sweepDead = func(ctx context.Context, age time.Duration, limit int) (int, error) {
				if b.meetsLock() {
					<-ctx.Done()
					return 0, ctx.Err()
				}
				return b.Store.SweepDead(ctx, age, limit)
			}
		}},
		{"a sweep of letters deletes nothing beside a lock", letters, false, func(b *broken) {
			b.sweepDead = func(ctx context.Context, age time.Duration, limit int) (int, error) {
				if b.meetsLock() {
					return 0, nil
				}
				return b.Store.SweepDead(ctx, age, limit)
			}
		}},
		{"a sweep of letters counts what is locked", letters, false, func(b *broken) {
			b.sweepDead = func(ctx context.Context, age time.Duration, limit int) (int, error) {
				n, err := b.Store.SweepDead(ctx, age, limit)
				if n == 0 && b.meetsLock() {
					n++
				}
				return n, err
			}
		}},
		{"a sweep of groups deletes nothing beside a lock", groups, false, func(b *broken) {
			b.sweepGroups = func(ctx context.Context, age time.Duration, limit int) (int, error) {
				if b.meetsLock() {
					return 0, nil
				}
				return b.Store.SweepGroups(ctx, age, limit)
			}
		}},
		{"a sweep of alerts deletes half of what it may beside a lock", alerts, false, func(b *broken) {
			b.sweepAlerts = func(ctx context.Context, age time.Duration, limit int) (int, error) {
				if b.meetsLock() {
					limit /= 2
				}
				return b.Store.SweepAlerts(ctx, age, limit)
			}
		}},
		{"a sweep of jobs never deletes what was locked", jobs, false, func(b *broken) {
			b.sweepJobs = func(ctx context.Context, s driver.JobSweep) (int, int, error) {
				if s.Limit == all {
					return 0, 0, nil
				}
				return b.Store.SweepJobs(ctx, s)
			}
		}},
	}
}
