package relay

import (
	"context"
	"fmt"
	"time"

	"github.com/sendoff-go/outbox"
)

// dispatchSuspect runs the next suspect, if none runs: should it be the one
// that ends processes, it ends this one alone, and its attempt is counted.
func (r *Relay) dispatchSuspect() {
	if r.lone || r.suspects.len() == 0 || (r.phase != working && r.phase != draining) {
		return
	}
	r.lone = true
	r.workers.Go(r.workSuspects)
}

func (r *Relay) workSuspects() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		var it *item
		if r.phase == working || r.phase == draining {
			it = r.suspects.pop()
		}
		if it == nil {
			r.lone = false
			r.checkQuiet()
			return
		}
		if it.loneRuns() >= suspectAfter {
			r.condemn(it)
			continue
		}
		r.begun(it, time.Now())
		r.mu.Unlock()
		started, err := r.startLone(it)
		var errs []error
		if started {
			errs = r.run(it.lane, []*item{it}, nil)
		}
		r.mu.Lock()
		switch {
		case started:
			r.finish([]*item{it}, errs)
		case err != nil: // the database is away: wait like any other
			r.running--
			it.state = queued
			r.wait(it, 1)
			it.lapsed = true
		default:
			r.running--
			r.wait(it, 1)
			r.drop(it)
		}
	}
}

// startLone writes the attempt and renews the lease in one fenced statement.
func (r *Relay) startLone(it *item) (ok bool, err error) {
	r.mu.Lock()
	row := outbox.Renewal{Held: it.held, Attempts: it.attempts + 1}
	r.mu.Unlock()
	ctx, cancel := context.WithTimeout(r.runCtx, r.cfg.Lease/3)
	defer cancel()
	start := time.Now()
	lost, err := r.store.Renew(ctx, r.owner, r.cfg.Lease, []outbox.Renewal{row})
	if err != nil || len(lost) > 0 {
		return false, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	it.leaseFrom, it.leaseFor, it.started = start, r.cfg.Lease, time.Now()
	return true, nil
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
