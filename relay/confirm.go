package relay

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// confirmLoop looks up rows that may have been rolled back with a savepoint.
type confirmLoop struct {
	store   driver.Store
	timeout time.Duration // of one look-up
	steps   *stepper
	wake    wakeup
	reports *reporter
}

func (l *confirmLoop) run(ctx context.Context) {
	for {
		wait := l.some(ctx)
		if wait > 0 && !pause(ctx, wait, l.wake) {
			return
		}
	}
}

// some looks up one batch, or returns how long to wait for one. A look-up
// ends early enough for a second one within the head start.
func (l *confirmLoop) some(ctx context.Context) (wait time.Duration) {
	var items []*core.Item
	var rows []driver.Held
	l.steps.step(func(c *core.Core) {
		items, wait = c.Confirms.Next()
		rows = heldOf(items)
	})
	if len(items) == 0 {
		return wait
	}
	limited, cancel := context.WithTimeout(ctx, l.timeout)
	defer cancel()
	found, err := l.store.Confirm(limited, rows)
	l.reports.report(ctx, "confirm", err)
	l.steps.step(func(c *core.Core) {
		if err != nil {
			c.Confirms.Failed(items)
		} else {
			c.Confirms.Confirmed(items, found)
		}
	})
	return 0
}
