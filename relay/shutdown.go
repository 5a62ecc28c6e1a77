package relay

import (
	"context"
	"time"
)

// shutdown takes nothing new, finishes what is in memory, gives back what is
// queued, and settles, all within the drain timeout. What still runs then is
// cancelled and left to its lease: giving it back could run it twice at once.
func (r *Relay) shutdown(ctx context.Context, taking *loops, endHolding func()) {
	ctx, cancel := context.WithTimeout(ctx, r.cfg.DrainTimeout)
	defer cancel()
	r.drain()
	taking.Wait()
	r.await(ctx, r.cfg.DrainTimeout*4/5, false)
	r.stop()
	r.await(ctx, r.cfg.DrainTimeout/5, true)
	r.withdraw(ctx)
	endHolding()
	still := r.awaitWorkers()
	r.mu.Lock()
	defer r.mu.Unlock()
	if still > 0 {
		r.log.Warn("outbox: listeners still run after the drain timeout; their events are left to their leases", "running", still)
	}
	r.reset()
}

// awaitWorkers waits until the workers have ended, unless some are in runs that
// ignore the end of their context. It returns how many.
func (r *Relay) awaitWorkers() (still int) {
	r.mu.Lock()
	still = r.running
	r.mu.Unlock()
	if still == 0 {
		r.workers.Wait()
	}
	return still
}

// drain takes nothing new from here on.
func (r *Relay) drain() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.phase = max(r.phase, draining)
	r.dismiss()
}

// stop gives back what is queued and cancels what runs.
func (r *Relay) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.phase = stopping
	r.dismiss()
	r.giveBackQueued(func(*item) bool { return true })
	for _, it := range r.confirm { // never looked up: their head start ends by itself
		r.unconfirmed(it)
	}
	r.confirm = nil
	for _, it := range r.held {
		if it.state == running && it.run != nil {
			it.run.cancel()
		}
	}
}

// reset forgets everything, for the next Run. Runs that go on find themselves
// unknown and change nothing.
func (r *Relay) reset() {
	for id, it := range r.held {
		if it.state == running {
			it.state, it.next, it.holdsKey = stuck, nil, false
			r.stuck[id] = it // so that it does not run beside itself in the next Run
		}
		delete(r.held, id)
	}
	for id := range r.reserved {
		r.freeSlot(id, time.Now())
	}
	for _, l := range r.lanes {
		l.hot, l.cold, l.hotWait, l.coldWait = queue{}, queue{}, 0, 0
		l.claimed = 0
		l.bytes, l.poll.again, l.poll.full, l.poll.due = 0, false, false, nil
	}
	clear(r.keys)
	r.suspects, r.confirm, r.decided, r.aside = queue{}, nil, nil, nil
	r.queued, r.unsettled, r.bytes, r.lone = 0, 0, 0, false
	r.phase = resting
}

// await waits until nothing is queued or runs, and with rows nothing is
// unsettled, but no longer than d.
func (r *Relay) await(ctx context.Context, d time.Duration, rows bool) {
	r.mu.Lock()
	done := make(chan struct{})
	r.quiet, r.quietRows = done, rows
	r.checkQuiet()
	r.mu.Unlock()
	r.settleWake.signal()
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-done:
	case <-t.C:
	case <-ctx.Done():
	}
	r.mu.Lock()
	r.quiet = nil
	r.mu.Unlock()
}

// checkQuiet tells whoever awaits that. Runs whose events are settled without
// them are not waited for: they may never end.
func (r *Relay) checkQuiet() {
	if r.quiet != nil && r.queued == 0 && r.running == len(r.stuck) && (!r.quietRows || r.unsettled == 0) {
		close(r.quiet)
		r.quiet = nil
	}
}
