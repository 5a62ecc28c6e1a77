package relay

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// takeLoop claims hot events by id whose head start is nearly over. Without an
// answer it is unknown whether they were claimed, and they wait until a later
// try gets one.
type takeLoop struct {
	store   driver.Store
	owner   driver.Owner
	lease   time.Duration
	every   time.Duration
	steps   *stepper
	wake    wakeup
	reports *reporter
}

func (l *takeLoop) run(ctx context.Context) {
	var wait core.Backoff
	for pause(ctx, l.every+wait.Last(), l.wake) {
		if l.take(ctx) {
			wait.Reset()
		} else {
			wait.Next()
		}
	}
}

// take claims all that is due, and reports false if a statement failed.
func (l *takeLoop) take(ctx context.Context) bool {
	for {
		var items []*core.Item
		var rows []driver.Held
		l.steps.step(func(c *core.Core) {
			items = c.Takes.Due()
			rows = heldOf(items)
		})
		if len(items) == 0 {
			return true
		}
		limited, cancel := context.WithTimeout(ctx, renewTimeout(l.lease))
		sent := time.Now()
		got, err := l.store.Take(limited, l.owner, l.lease, rows)
		cancel()
		if l.reports.report(ctx, "take", err); err != nil {
			return false
		}
		l.steps.step(func(c *core.Core) { c.Takes.Taken(items, sent, got) })
	}
}
