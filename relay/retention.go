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
type retentionLoop struct {
	first   time.Duration // until the first look
	batch   int
	kept    []kept
	reports *reporter
}

// kept is what is kept for a time, or, if that is 0, forever.
type kept struct {
	what  string
	age   time.Duration
	sweep func(ctx context.Context, age time.Duration, limit int) (int, error)
}

// keptBy lists what the store keeps.
func keptBy(store driver.Store, cfg Config) (all []kept) {
	if letters, ok := store.(driver.DeadLetterStore); ok {
		all = append(all, kept{"sweep dead letters", cfg.ResolvedRetention, letters.SweepDead})
	}
	if groups, ok := store.(driver.GroupStore); ok {
		all = append(all, kept{"sweep groups of dead letters", groupRetention, groups.SweepGroups})
	}
	if audit, ok := store.(driver.AuditStore); ok {
		all = append(all, kept{"sweep the audit log", cfg.AuditRetention, audit.SweepAudit})
	}
	return all
}

func (l *retentionLoop) run(ctx context.Context) {
	for next := l.first; pause(ctx, next, nil); next = retentionInterval {
		for _, k := range l.kept {
			l.sweep(ctx, k)
		}
	}
}

func (l *retentionLoop) sweep(ctx context.Context, k kept) {
	for k.age > 0 && ctx.Err() == nil {
		n, err := k.sweep(ctx, k.age, l.batch)
		if l.reports.report(ctx, k.what, err); err != nil || n < l.batch {
			return
		}
	}
}
