package relay

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/relay/core"
)

// holdEvery is how often leases are checked.
func (c Config) holdEvery() time.Duration {
	return max(min(c.Lease, c.HeadStart)/15, 10*time.Millisecond)
}

// renewTimeout bounds a renewal: one without an answer is repeated, and that
// needs time.
func renewTimeout(lease time.Duration) time.Duration { return lease / 3 }

// holdLoop keeps the leases of everything in memory, ends runs that outlive
// their lease or their deadline, and never stops before the last event is
// settled.
type holdLoop struct {
	store   driver.Store
	owner   driver.Owner
	lease   time.Duration
	every   time.Duration
	steps   *stepper
	wake    wakeup
	reports *reporter
	renewed func(observe.StatementInfo)
}

func (l *holdLoop) run(ctx context.Context) {
	var wait core.Backoff
	first := 0 // batch to begin with
	var apart sync.WaitGroup
	defer apart.Wait()
	for pause(ctx, l.every+wait.Last(), l.wake) {
		began := time.Now()
		var due core.Renewals
		l.steps.step(func(c *core.Core) {
			if due = c.Leases.Due(); len(due.Locked) > 0 {
				c.Leases.LockedSent()
			}
		})
		if len(due.Locked) > 0 { // in its own goroutine, so that others do not wait
			apart.Go(func() {
				l.reports.report(ctx, "renew", l.renew(ctx, due.Locked))
				l.steps.step(func(c *core.Core) { c.Leases.LockedEnded() })
			})
		}
		var failed error
		for i := range due.Batches {
			at := (first + i) % len(due.Batches)
			failed = l.renew(ctx, due.Batches[at])
			if l.reports.report(ctx, "renew", failed); failed != nil {
				first = at + 1 // the others must not wait for this one
				break
			}
		}
		if failed != nil {
			wait.Next()
		} else {
			wait.Reset()
		}
		l.steps.step(func(c *core.Core) { c.Leases.Done(began, failed == nil) })
	}
}

// renew extends leases with one statement.
func (l *holdLoop) renew(ctx context.Context, items []*core.Item) error {
	var held []driver.Held
	l.steps.step(func(*core.Core) { held = heldOf(items) })
	rows := make([]driver.Renewal, len(items))
	for i := range held {
		rows[i].Held = held[i]
	}
	limited, cancel := context.WithTimeout(ctx, renewTimeout(l.lease))
	defer cancel()
	sent := time.Now()
	lost, err := l.store.Renew(limited, l.owner, l.lease, rows)
	call(l.renewed, observe.StatementInfo{Rows: len(rows), Stale: len(lost), Took: time.Since(sent), Err: err})
	var locked driver.LockedError
	if e := (*driver.LockedError)(nil); errors.As(err, &e) {
		locked = *e
	} else if err != nil {
		return err
	}
	l.steps.step(func(c *core.Core) {
		c.Leases.Renewed(items, held, sent, lost, locked.Rows)
	})
	return nil
}

// heldOf returns the claims of items. It is called with the lock held.
func heldOf(items []*core.Item) []driver.Held {
	hs := make([]driver.Held, len(items))
	for i, it := range items {
		hs[i] = it.Held()
	}
	return hs
}
