package relay

import (
	"errors"
	"time"

	"github.com/sendoff-go/outbox"
)

// dispatch starts workers for what is ready, each with its first events in
// hand, so that it begins without waiting for the lock. They stop when nothing
// is ready. What giving back on the way makes ready is seen by the loop here.
func (r *Relay) dispatch(l *lane) {
	r.dispatchSuspect()
	if l.dispatching {
		return
	}
	l.dispatching = true
	for l.workers < l.cfg.Workers && l.workers-l.runs < l.ready() && r.mayRun(l) {
		batch := r.next(l, nil)
		if len(batch) == 0 {
			break
		}
		l.workers++
		r.employ(task{lane: l, run: r.startRun(l, batch), batch: batch})
	}
	l.dispatching = false
}

func (r *Relay) dispatchAll() {
	for _, l := range r.lanes {
		if l.ready() > 0 {
			r.dispatch(l)
		}
	}
	r.dispatchSuspect()
}

// mayRun is false where ready events have to wait: what is not yet settled is
// bounded, so that a database that is away does not fill the memory.
func (r *Relay) mayRun(l *lane) bool {
	return (r.phase == working || r.phase == draining) && !l.paused && r.unsettled < r.cfg.MaxUnsettled
}

// next takes one event, or a batch where the destination takes batches.
func (r *Relay) next(l *lane, batch []*item) []*item {
	for r.mayRun(l) {
		it := l.pop()
		if it == nil {
			return batch
		}
		now := time.Now()
		if it.taking || it.left(now) < r.cfg.Margin {
			r.lapse(it)
			continue
		}
		if it.breaker.yields(it) && l.ready() > 0 {
			it.yielded = true
			r.ready(it)
			continue
		}
		switch it.breaker.admit() {
		case refuse:
			r.giveBack(it, it.breaker.delay(now))
			continue
		case hold:
			if len(r.reg.Targets(l.name)) > 1 { // the others must not wait behind it
				r.giveBack(it, firstProbe)
				continue
			}
			r.readyFront(it)
			return batch
		}
		batch = append(batch, it)
		r.begun(it, now)
		if it.target == nil || !it.target.Batches() || it.breaker.trying() {
			return batch
		}
		return r.fill(l, it, batch, now)
	}
	return batch
}

// lapse keeps an event from running until its lease is renewed.
func (r *Relay) lapse(it *item) {
	it.lapsed = true
	r.holdWake.signal()
}

// fill adds what may go along with first: events of the same destination, and
// with each the ones of its aggregate that wait behind it, in their order.
func (r *Relay) fill(l *lane, first *item, batch []*item, now time.Time) []*item {
	last := first
	for len(batch) < l.cfg.DeliverBatch {
		it := r.follower(last, now)
		if it == nil {
			if it = l.pop(); it == nil {
				return batch
			}
			if it.target != first.target {
				r.readyFront(it)
				return batch
			}
			if it.taking || it.left(now) < r.cfg.Margin {
				r.lapse(it)
				continue
			}
		}
		batch = append(batch, it)
		r.begun(it, now)
		last = it
	}
	return batch
}

// follower takes the next of the same aggregate, if it can go along.
func (r *Relay) follower(it *item, now time.Time) *item {
	k, ok := it.key()
	if !ok || r.keys[k] == nil {
		return nil
	}
	q := r.keys[k]
	next := q.peek()
	if next == nil || next.target != it.target || next.suspect() || next.taking || next.left(now) < r.cfg.Margin {
		return nil
	}
	next.follower = true
	return q.pop()
}

func (r *Relay) begun(it *item, now time.Time) {
	r.wait(it, -1)
	it.state = running
	it.started = now
	r.running++
}

// errTimeout is the failure of a run that ignored the end of its context.
var errTimeout = errors.New("relay: deadline of the run exceeded")

// startRun counts a run of the lane and gives it its context.
func (r *Relay) startRun(l *lane, batch []*item) *runContext {
	l.runs++
	return r.contextOf(l, batch)
}

func (r *Relay) contextOf(l *lane, batch []*item) *runContext {
	run := newRunContext(r.runCtx, batch[0].started.Add(l.cfg.Timeout))
	for _, it := range batch {
		it.run = run
	}
	return run
}

// run hands a batch to its destination, under one context.
func (r *Relay) run(run *runContext, batch []*item, errs []error) []error {
	defer run.cancel()
	first := batch[0]
	ctx := outbox.ContextWithDelivery(run, &outbox.Delivery{
		Attempt: first.attempts + 1, Seq: first.held.Seq, Hot: first.hot, CreatedAt: first.createdAt,
	})
	if len(batch) == 1 {
		return append(errs, r.deliverOne(ctx, first))
	}
	return r.deliverBatch(ctx, batch, errs)
}

// finish decides what becomes of events that ran.
func (r *Relay) finish(batch []*item, errs []error) {
	now := time.Now()
	for i, it := range batch {
		it.run = nil
		r.running--
		if it.state == stuck {
			delete(r.stuck, it.held.EventID) // it ended after all
		} else {
			r.decide(it, errs[i], now.Sub(it.started))
		}
		if !it.follower {
			r.passKey(it)
		}
	}
}
