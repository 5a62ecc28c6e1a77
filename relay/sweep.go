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
type sweepLoop struct {
	store   driver.Store
	age     time.Duration
	every   time.Duration
	batch   int
	swept   func(observe.StatementInfo)
	groups  *groups
	reports *reporter
}

// sweptAge is the age at which delivered rows are swept.
func (c Config) sweptAge() time.Duration {
	switch c.Delivered {
	case DeleteAtSettle:
		return 0 // rows kept under an earlier configuration
	case KeepForever:
		return forever
	case KeepForRetention:
	}
	return c.Retention
}

func (l *sweepLoop) run(ctx context.Context) {
	for pause(ctx, l.every, nil) {
		for ctx.Err() == nil {
			start := time.Now()
			n, err := l.store.Sweep(ctx, l.age, l.batch)
			if l.reports.report(ctx, "sweep", err); err != nil {
				break
			}
			if n > 0 {
				call(l.swept, observe.StatementInfo{Rows: n, Took: time.Since(start)})
			}
			if n < l.batch {
				break
			}
		}
		l.groups.group(ctx)
	}
}
