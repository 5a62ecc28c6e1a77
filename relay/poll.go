package relay

import (
	"context"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// pollLoop claims as much as the lanes have room for: without a pause while
// there is work, otherwise at each lane's interval or when woken.
type pollLoop struct {
	steps   *stepper
	wake    wakeup
	claims  *claims
	waiting *waiting
	reports *reporter
}

func (l *pollLoop) run(ctx context.Context) {
	var wait core.Backoff
	for ctx.Err() == nil {
		var p core.Polling
		l.steps.step(func(c *core.Core) { p = c.Claims.Next() })
		var err error
		switch {
		case p.Look:
			err = l.look(ctx)
		case len(p.Wants) > 0:
			err = l.claims.claim(ctx, p)
		default:
			pause(ctx, p.Wait, l.wake)
			continue
		}
		if l.reports.report(ctx, doingClaim, err); err != nil {
			pause(ctx, wait.Next(), nil)
			continue
		}
		wait.Reset()
	}
}

// look finds out which of very many idle lanes have rows that are due.
func (l *pollLoop) look(ctx context.Context) error {
	var due []string
	err := l.waiting.each(ctx, func(w driver.WaitingLane) {
		if w.Age >= 0 {
			due = append(due, w.Lane)
		}
	})
	l.steps.step(func(c *core.Core) { c.Claims.Looked(due) })
	return err
}
