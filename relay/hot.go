package relay

import (
	"context"
	"runtime"
	"time"

	"github.com/sendoff-go/outbox"
)

// reservation is a hot slot of a transaction that is still open. The event is
// made ready before the INSERT, so that as little as possible is left to do
// between the commit and the listener.
type reservation struct {
	it    *item
	since time.Time
}

// Admit implements [outbox.CommitHook]: it reserves hot slots before the
// INSERT. Without room the rows are written as ordinary ones.
func (r *Relay) Admit(es []outbox.Event) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.phase != working {
		return 0
	}
	for i := range es {
		l := r.lane(es[i].Type)
		if es[i].Delayed() || l == nil || l.paused {
			r.unreserve(es[:i])
			return 0
		}
		target := r.reg.Lookup(es[i].AggregateType, es[i].Type)
		away := r.breakerOf(target)
		if away.opened() {
			r.unreserve(es[:i])
			return 0
		}
		if l.hotWait+l.reserved >= l.cfg.HotQueue || es[i].Size() > r.spare(l) {
			r.unreserve(es[:i])
			r.hotDropped(l, len(es))
			return 0
		}
		now := time.Now()
		r.freeSlot(es[i].ID, now) // of a write that was rolled back to a savepoint
		event := es[i].Clone()
		l.reserved++
		r.reserved[event.ID] = reservation{since: now, it: &item{
			event: &event, lane: l, hot: true, size: event.Size(), target: target, breaker: away,
		}}
		r.weigh(l, event.Size())
	}
	return r.cfg.HeadStart
}

// hotDropped tells that a hot queue is full: nothing is lost, the poller will
// deliver.
func (r *Relay) hotDropped(l *lane, n int) {
	if l.cfg.HotQueue <= 0 {
		return // switched off
	}
	if l.overflow += n; time.Since(l.overflowLogged) >= time.Second { // not a line per write
		r.log.Warn("outbox: hot queue is full, the poller will deliver", "event_type", l.name, "events", l.overflow)
		l.overflow, l.overflowLogged = 0, time.Now()
	}
	if r.hooks.HotDropped != nil {
		r.hooks.HotDropped(outbox.QueueInfo{Lane: l.name, N: n})
	}
}

func (r *Relay) unreserve(es []outbox.Event) {
	for i := range es {
		r.freeSlot(es[i].ID, time.Now())
	}
}

// freeSlot returns what a slot was reserved for by then, or nil if the slot is
// gone. A later one belongs to another write of the same id.
func (r *Relay) freeSlot(id string, by time.Time) *item {
	res, ok := r.reserved[id]
	if !ok || res.since.After(by) {
		return nil
	}
	delete(r.reserved, id)
	res.it.lane.reserved--
	r.weigh(res.it.lane, -res.it.size)
	return res.it
}

// Committed implements [outbox.CommitHook]: what was admitted goes to its
// lane, and the poller is woken for the rest.
func (r *Relay) Committed(ws []outbox.Written) {
	var others []string
	r.mu.Lock()
	r.employed = false
	for i := range ws {
		w := &ws[i]
		it := r.freeSlot(w.Event.ID, w.Since)
		if it != nil && w.Hot() && r.phase == working {
			r.takeHot(it, w)
		} else if l := r.lane(w.Event.Type); l != nil {
			r.wakeFor(l, &w.Event)
		} else {
			others = append(others, w.Event.Type)
		}
	}
	handed := r.employed
	r.mu.Unlock()
	if handed {
		// The worker is next on this processor. Otherwise it would begin when
		// another thread has been woken and has stolen it.
		runtime.Gosched()
	}
	if len(others) > 0 {
		r.notifyOthers(others)
	}
}

func (r *Relay) takeHot(it *item, w *outbox.Written) {
	l := it.lane
	it.held = outbox.Held{EventID: it.event.ID, Seq: w.Seq}
	it.since, it.leaseFrom, it.leaseFor = w.Since, w.Since, w.HeadStart
	if r.hooks.HotEnqueued != nil {
		r.hooks.HotEnqueued(outbox.QueueInfo{Lane: l.name, N: 1})
	}
	if w.Confirm {
		r.wait(it, 1)
		r.weigh(l, it.size)
		r.confirm = append(r.confirm, it)
		r.confirmWake.signal()
		return
	}
	r.enter(it)
	r.dispatch(l)
}

// Dropped implements [outbox.CommitHook]. A row whose commit is unknown is
// left to the poller.
func (r *Relay) Dropped(ws []outbox.Written) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range ws {
		r.freeSlot(ws[i].Event.ID, ws[i].Since)
	}
}

// enter takes an event into memory, or makes it follow an older copy of itself
// that this process still has.
func (r *Relay) enter(it *item) {
	id := it.held.EventID
	if r.stuck[id] != nil { // not here, but others may run it
		it.size = 0
		it.outcome = outbox.Outcome{Held: it.held, Kind: outbox.Release, Attempts: it.attempts, Delay: r.cfg.Lease}
		r.queueOutcome(it)
		return
	}
	old := r.held[id]
	switch {
	case old == nil:
		r.enqueue(it)
	case old.state == queued:
		r.drop(old)
		r.enqueue(it)
	default:
		old.next = it
	}
}

// reserveLoop releases the slots of transactions that outlast the head start.
func (r *Relay) reserveLoop(ctx context.Context) {
	for pause(ctx, r.cfg.HeadStart/5, nil) {
		r.mu.Lock()
		now := time.Now()
		for id, res := range r.reserved {
			if elapsed(res.since, now) > r.cfg.HeadStart {
				r.freeSlot(id, now)
			}
		}
		r.mu.Unlock()
	}
}

// confirmLoop looks up what may have been rolled back with a savepoint.
func (r *Relay) confirmLoop(ctx context.Context) {
	for {
		select {
		case <-r.confirmWake:
		case <-ctx.Done():
			return
		}
		for r.confirmSome(ctx) {
		}
	}
}

// unconfirmed takes an event out of those that are being looked up.
func (r *Relay) unconfirmed(it *item) {
	r.wait(it, -1)
	r.weigh(it.lane, -it.size)
}

// confirmBatch bounds one look-up.
const confirmBatch = 500

func (r *Relay) confirmSome(ctx context.Context) bool {
	r.mu.Lock()
	n := min(len(r.confirm), confirmBatch)
	batch := append([]*item(nil), r.confirm[:n]...)
	r.confirm = append(r.confirm[:0], r.confirm[n:]...)
	r.mu.Unlock()
	if n == 0 {
		return false
	}
	rows := make([]outbox.Held, n)
	for i, it := range batch {
		rows[i] = it.held
	}
	found, err := r.store.Confirm(ctx, rows)
	if err != nil {
		// The poller has them after their head start.
		r.loopError(ctx, "confirm", err)
		found = nil
	}
	exists := make(map[outbox.Held]bool, len(found))
	for _, h := range found {
		exists[h] = true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, it := range batch {
		r.unconfirmed(it)
		if exists[it.held] && r.phase != stopping {
			r.enter(it)
			r.dispatch(it.lane)
		}
	}
	r.checkQuiet()
	return true
}
