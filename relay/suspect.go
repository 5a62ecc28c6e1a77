package relay

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sendoff-go/outbox"
)

// dispatchSuspect runs the next suspect, if none runs and none that ran is
// still unsettled: should it be the one that ends processes, it is the only one
// whose attempt is counted without an answer.
func (r *Relay) dispatchSuspect() {
	for !r.lone && r.suspects.len() > 0 && (r.phase == working || r.phase == draining) {
		it := r.suspects.pop()
		switch {
		case it == nil:
			return
		case it.unexplained():
			r.beginHistory(it)
		case it.loneRuns() >= suspectAfter:
			r.condemn(it)
		default:
			r.beginHistories() // before a run that may be the last of this process
			r.lone, it.lone = true, true
			r.begun(it, time.Now().Add(checkTimeout+r.cfg.Lease/3)) // its run starts after the check
			r.workers.Go(func() { r.workSuspect(it) })
		}
	}
}

func (r *Relay) workSuspect(it *item) {
	if err := r.checkLone(it); err != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.putOff(it, err)
		r.checkQuiet()
		return
	}
	run, err := r.startLone(it)
	if run != nil {
		errs := r.run(run, []*item{it}, nil)
		if errs[0] == nil {
			r.uncount(it)
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.finish([]*item{it}, errs)
		r.checkQuiet()
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if it.state == stuck { // given up before it began
		r.running--
		delete(r.stuck, it.held.EventID)
		r.passKey(it)
		r.checkQuiet()
		return
	}
	r.running--
	r.wait(it, 1)
	it.state = queued
	r.endLone(it)
	if err != nil { // the database is away: not before its lease is renewed
		r.lapse(it)
	} else {
		r.drop(it)
	}
	r.checkQuiet()
}

// checkLone makes sure that the destination is there. A lone run that waits for
// one that is away, or is to be connected to, would still go on when its process
// is ended for another reason, and the event would be blamed.
func (r *Relay) checkLone(it *item) error {
	if it.breaker == nil || it.breaker.checker == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(r.runCtx, checkTimeout)
	defer cancel()
	return it.breaker.checker.Check(ctx)
}

// putOff gives back a suspect whose destination is away.
func (r *Relay) putOff(it *item, err error) {
	r.running--
	if it.state == stuck { // the check went on for too long
		delete(r.stuck, it.held.EventID)
		r.passKey(it)
		return
	}
	r.wait(it, 1)
	it.state = queued
	if !it.breaker.opened() && r.phase == working {
		it.breaker.open(r, err)
	}
	if it.state == queued {
		r.giveBack(it, it.breaker.delay(time.Now()))
	}
}

// endLone lets the next suspect run.
func (r *Relay) endLone(it *item) {
	if it.lone {
		it.lone, r.lone = false, false
		r.dispatchSuspect()
	}
}

// startLone writes the attempt and renews the lease in one fenced statement. It
// returns nil if the event must not run.
func (r *Relay) startLone(it *item) (*runContext, error) {
	r.mu.Lock()
	row := outbox.Renewal{Held: it.held, Attempts: it.attempts + 1}
	r.mu.Unlock()
	ctx, cancel := context.WithTimeout(r.runCtx, r.cfg.Lease/3)
	defer cancel()
	start := time.Now()
	lost, err := r.store.Renew(ctx, r.owner, r.cfg.Lease, []outbox.Renewal{row})
	if err != nil || len(lost) > 0 {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	it.leaseFrom, it.leaseFor, it.started = start, r.cfg.Lease, time.Now()
	return r.contextOf(it.lane, []*item{it}), nil
}

// uncount takes back the attempt of a lone run that was none, since it did not
// fail. If that does not succeed, the delivered row shows one too many: the
// outcome must not wait for it.
func (r *Relay) uncount(it *item) {
	r.mu.Lock()
	row := outbox.Renewal{Held: it.held, Attempts: it.attempts}
	r.mu.Unlock()
	if row.Attempts == 0 {
		row.Attempts = outbox.NoAttempts
	}
	ctx, cancel := context.WithTimeout(r.runCtx, r.cfg.Lease/3)
	defer cancel()
	if _, err := r.store.Renew(ctx, r.owner, r.cfg.Lease, []outbox.Renewal{row}); err != nil {
		r.loopError(ctx, "renew", err)
	}
}

// beginHistories does so for the suspects that wait.
func (r *Relay) beginHistories() {
	for _, it := range r.suspects.items[r.suspects.head:] {
		if it.state == queued && it.unexplained() {
			r.beginHistory(it)
		}
	}
}

// beginHistory gives the event back with its present number of attempts in the
// history, so that lone runs can be counted from there.
func (r *Relay) beginHistory(it *item) {
	r.wait(it, -1)
	it.outcome = outbox.Outcome{Held: it.held, Kind: outbox.Retry, Attempts: it.attempts}
	r.reason(it, errors.New("its relay went away three times; the attempts before that are in no history"), "crash", 0)
	r.queueOutcome(it)
	r.passKey(it)
}

// condemn gives up an event whose lone runs all ended with their process.
func (r *Relay) condemn(it *item) {
	r.wait(it, -1)
	it.outcome = outbox.Outcome{Held: it.held, Attempts: it.attempts}
	err := fmt.Errorf("its run ended with the relay gone, %d times in a row when nothing else of that kind ran: it ends or stalls the process", it.loneRuns())
	r.dead(it, err, "crash", it.attempts, 0)
	r.queueOutcome(it)
	r.passKey(it)
}
