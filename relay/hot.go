package relay

import (
	"runtime"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay/core"
)

// HotPath makes this relay deliver a writer's events right after their commit:
//
//	w := outbox.NewWriter(store, r.HotPath())
func (r *Relay) HotPath() outbox.WriterOption { return outbox.WithCommitHook(r.hot) }

// hotPath is the relay as the [outbox.CommitHook] of writers.
type hotPath struct {
	steps     *stepper
	staff     *staff
	routes    *routes
	unrun     *unrun
	headStart time.Duration
}

// Admit reserves hot slots before the INSERT. Without room the rows are written
// as ordinary ones. It prepares the events here, so that little is left to do
// between the commit and the listener.
func (h *hotPath) Admit(es []outbox.Event, since time.Time) time.Duration {
	items := make([]core.Item, len(es))
	for i := range es {
		h.routes.lane(es[i].Type)
		items[i] = core.NewHot(&es[i], h.routes.find(&es[i]))
	}
	var admitted bool
	h.steps.step(func(c *core.Core) { admitted = c.Hot.Admit(since, es, items) })
	if !admitted {
		return 0
	}
	for i := range es {
		event := es[i].Clone()
		items[i].Event = &event
	}
	return h.headStart
}

// Committed sends admitted events to their lane, and wakes the poller for the
// rest.
func (h *hotPath) Committed(ws []outbox.Written) {
	h.unrun.expect()
	fx := effects.Get().(*core.Effects)
	h.steps.decide(fx, func(c *core.Core) { c.Hot.Committed(ws) })
	if run := h.steps.startRuns(fx); run != nil {
		h.staff.employ(run)
		// The worker runs next on this processor. Otherwise it would start only
		// after another thread has woken up and stolen it.
		runtime.Gosched()
	}
	h.steps.finish(fx)
	effects.Put(fx)
}

// Untracked is called for a write whose commit nobody reports.
func (h *hotPath) Untracked() { h.unrun.expect() }

// Dropped gives the slots back. A row whose commit is unknown is left to the
// poller.
func (h *hotPath) Dropped(ws []outbox.Written) {
	h.steps.step(func(c *core.Core) { c.Hot.Dropped(ws) })
}
