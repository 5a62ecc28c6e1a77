package relay

import (
	"context"
	"runtime"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// HotPath makes this relay deliver a writer's events right after their commit:
//
//	w := outbox.NewWriter(store, r.HotPath())
func (r *Relay) HotPath() outbox.WriterOption { return outbox.WithCommitHook(hotPath{r}) }

// hotPath is the relay as the [outbox.CommitHook] of writers.
type hotPath struct{ relay *Relay }

// Admit reserves hot slots before the INSERT. Without room the rows are written
// as ordinary ones. It prepares the events here, so that little is left to do
// between the commit and the listener.
func (h hotPath) Admit(es []outbox.Event, since time.Time) time.Duration {
	r := h.relay
	items := make([]core.Item, len(es))
	for i := range es {
		r.routes.lane(es[i].Type)
		items[i] = core.NewHot(&es[i], r.routes.find(&es[i]))
	}
	var admitted bool
	r.step(func(c *core.Core, now time.Time, fx *core.Effects) { admitted = c.Admit(now, since, es, items, fx) })
	if !admitted {
		return 0
	}
	for i := range es {
		event := es[i].Clone()
		items[i].Event = &event
	}
	return r.cfg.HeadStart
}

// Committed sends admitted events to their lane, and wakes the poller for the
// rest.
func (h hotPath) Committed(ws []outbox.Written) {
	r := h.relay
	r.expectRun()
	fx := effects.Get().(*core.Effects)
	r.decide(fx, func(c *core.Core, now time.Time, fx *core.Effects) { c.Committed(now, ws, fx) })
	if run := r.startRuns(fx); run != nil {
		r.employ(run)
		// The worker runs next on this processor. Otherwise it would start only
		// after another thread has woken up and stolen it.
		runtime.Gosched()
	}
	r.finish(fx)
	effects.Put(fx)
}

// Untracked is called for a write whose commit nobody reports.
func (h hotPath) Untracked() { h.relay.expectRun() }

// unrunAfter leaves a program time to start its relay after its writers.
const unrunAfter = 30 * time.Second

// expectRun warns once if writers write for a relay that is not running.
func (r *Relay) expectRun() {
	if r.begun.Load() {
		return
	}
	r.unrun.Do(func() {
		time.AfterFunc(unrunAfter, func() {
			if !r.begun.Load() {
				r.log.Warn("outbox: events are written for a relay that is not running, and wait: call its Run; a writer without HotPath leaves them to other relays",
					"since", unrunAfter)
			}
		})
	})
}

// Dropped gives the slots back. A row whose commit is unknown is left to the
// poller.
func (h hotPath) Dropped(ws []outbox.Written) {
	h.relay.step(func(c *core.Core, now time.Time, fx *core.Effects) { c.Dropped(now, ws, fx) })
}

// expireLoop releases the slots of transactions that outlast the head start.
func (r *Relay) expireLoop(ctx context.Context) {
	for pause(ctx, r.cfg.HeadStart/5, nil) {
		r.step(func(c *core.Core, now time.Time, fx *core.Effects) { c.Expire(now, fx) })
	}
}

// confirmLoop looks up rows that may have been rolled back with a savepoint.
func (r *Relay) confirmLoop(ctx context.Context) {
	for {
		wait := r.confirmSome(ctx)
		if wait > 0 && !pause(ctx, wait, r.wakes.of(core.ConfirmLoop)) {
			return
		}
	}
}

// confirmSome looks up one batch, or returns how long to wait for one. A look-up
// ends early enough for a second one within the head start.
func (r *Relay) confirmSome(ctx context.Context) (wait time.Duration) {
	var items []*core.Item
	var rows []driver.Held
	r.step(func(c *core.Core, now time.Time, _ *core.Effects) {
		items, wait = c.Unconfirmed(now)
		rows = heldOf(items)
	})
	if len(items) == 0 {
		return wait
	}
	limited, cancel := context.WithTimeout(ctx, r.cfg.HeadStart/3)
	defer cancel()
	found, err := r.store.Confirm(limited, rows)
	r.report(ctx, "confirm", err)
	r.step(func(c *core.Core, now time.Time, fx *core.Effects) {
		if err != nil {
			c.ConfirmFailed(now, items, fx)
		} else {
			c.Confirmed(now, items, found, fx)
		}
	})
	return 0
}

// heldOf returns the claims of items. It is called with the lock held.
func heldOf(items []*core.Item) []driver.Held {
	hs := make([]driver.Held, len(items))
	for i, it := range items {
		hs[i] = it.Held()
	}
	return hs
}
