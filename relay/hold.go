package relay

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/relay/core"
)

// holdEvery is how often leases are checked.
func (r *Relay) holdEvery() time.Duration {
	return max(min(r.cfg.Lease, r.cfg.HeadStart)/15, 10*time.Millisecond)
}

// holdLoop keeps the leases of everything in memory, ends runs that outlive
// their lease or their deadline, and never stops before the last event is
// settled.
func (r *Relay) holdLoop(ctx context.Context) {
	var wait core.Backoff
	var apart sync.WaitGroup
	var busy atomic.Bool
	defer apart.Wait()
	for pause(ctx, r.holdEvery()+wait.Last(), r.wakes.of(core.HoldLoop)) {
		began := time.Now()
		var due core.Renewals
		r.step(func(c *core.Core, now time.Time, fx *core.Effects) { due = c.DueLeases(now, fx) })
		// In its own goroutine, so that others do not wait. One at a time: they
		// may hang, and each holds a connection.
		if len(due.Locked) > 0 && busy.CompareAndSwap(false, true) {
			apart.Go(func() {
				defer busy.Store(false)
				r.report(ctx, "renew", r.renew(ctx, due.Locked))
			})
		}
		var failed error
		for _, batch := range due.Batches {
			failed = r.renew(ctx, batch)
			if r.report(ctx, "renew", failed); failed != nil {
				break
			}
		}
		if failed != nil {
			wait.Next()
		} else {
			wait.Reset()
		}
		r.step(func(c *core.Core, now time.Time, fx *core.Effects) { c.HoldDone(now, began, failed == nil, fx) })
	}
}

// renewTimeout bounds a renewal: one without an answer is repeated, and that
// needs time.
func (r *Relay) renewTimeout() time.Duration { return r.cfg.Lease / 3 }

// renew extends leases with one statement.
func (r *Relay) renew(ctx context.Context, items []*core.Item) error {
	var held []driver.Held
	r.step(func(*core.Core, time.Time, *core.Effects) { held = heldOf(items) })
	rows := make([]driver.Renewal, len(items))
	for i := range held {
		rows[i].Held = held[i]
	}
	limited, cancel := context.WithTimeout(ctx, r.renewTimeout())
	defer cancel()
	sent := time.Now()
	lost, err := r.store.Renew(limited, r.owner, r.cfg.Lease, rows)
	call(r.hooks.Renewed, observe.StatementInfo{Rows: len(rows), Stale: len(lost), Took: time.Since(sent), Err: err})
	var locked driver.LockedError
	if l := (*driver.LockedError)(nil); errors.As(err, &l) {
		locked = *l
	} else if err != nil {
		return err
	}
	r.step(func(c *core.Core, now time.Time, fx *core.Effects) {
		c.Renewed(now, items, held, sent, lost, locked.Rows, fx)
	})
	return nil
}

// takeLoop claims hot events by id whose head start is nearly over. Without an
// answer it is unknown whether they were claimed, and they wait until a later
// try gets one.
func (r *Relay) takeLoop(ctx context.Context) {
	var wait core.Backoff
	for pause(ctx, r.holdEvery()+wait.Last(), r.wakes.of(core.TakeLoop)) {
		if err := r.take(ctx); err != nil { // nil even if there was nothing to take
			r.report(ctx, "take", err)
			wait.Next()
		} else {
			wait.Reset()
		}
	}
}

func (r *Relay) take(ctx context.Context) error {
	for {
		var items []*core.Item
		var rows []driver.Held
		r.step(func(c *core.Core, now time.Time, _ *core.Effects) {
			items = c.DueTakes(now)
			rows = heldOf(items)
		})
		if len(items) == 0 {
			return nil
		}
		limited, cancel := context.WithTimeout(ctx, r.renewTimeout())
		sent := time.Now()
		got, err := r.store.Take(limited, r.owner, r.cfg.Lease, rows)
		cancel()
		if err != nil {
			return err
		}
		r.step(func(c *core.Core, now time.Time, fx *core.Effects) { c.Taken(now, items, sent, got, fx) })
	}
}
