package relay

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/sendoff-go/outbox"
)

// settleLoop writes outcomes in batches. An outcome waits a little for others;
// a statement that fails is repeated, since a delivery must never become a
// failure by the database's absence.
func (r *Relay) settleLoop(ctx context.Context) {
	for r.awaitOutcomes(ctx) {
		r.settleNext(ctx)
	}
	for r.settleNext(ctx) { // what is left at the end waits for nothing
	}
}

// awaitOutcomes returns when a batch is worth writing, and false at the end.
func (r *Relay) awaitOutcomes(ctx context.Context) bool {
	for {
		r.mu.Lock()
		n, wait := len(r.decided), r.settleLinger()
		if r.quiet != nil {
			wait = 0 // somebody waits for the end: nothing more will join
		}
		r.mu.Unlock()
		switch {
		case n >= r.cfg.SettleBatch, n > 0 && wait == 0:
			return ctx.Err() == nil
		case n > 0:
			if !r.linger(ctx, wait) {
				return false
			}
			return true
		}
		select {
		case <-r.settleWake:
		case <-ctx.Done():
			return false
		}
	}
}

// maxLinger bounds how long outcomes wait on a database that is slow to write.
const maxLinger = 50 * time.Millisecond

// settleLinger is how long an outcome waits for others. A statement costs much
// more than a row in it, so the wait grows with what the last one took: then
// statements that are not full take a tenth of the time at most.
func (r *Relay) settleLinger() time.Duration {
	return max(r.cfg.SettleLinger, min(10*r.settleTook, maxLinger))
}

// linger waits until the batch is full or the time is over.
func (r *Relay) linger(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			return true
		case <-ctx.Done():
			return false
		case <-r.settleWake:
			r.mu.Lock()
			full := len(r.decided) >= r.cfg.SettleBatch || r.quiet != nil
			r.mu.Unlock()
			if full {
				return true
			}
		}
	}
}

// settleNext writes a batch of what is decided by now, or says that nothing is.
// While more than a full batch waits, two are written side by side: the database
// is then what the relay waits for, and one connection does not keep it busy.
// What was decided meanwhile waits for others again: written at once, it would
// be a few rows in each of hundreds of statements a second.
func (r *Relay) settleNext(ctx context.Context) bool {
	batch := r.takeDecided(1)
	if len(batch) == 0 {
		return false
	}
	var beside sync.WaitGroup
	if second := r.takeDecided(r.cfg.SettleBatch); len(second) > 0 {
		beside.Go(func() { r.settleBatch(ctx, second) })
	}
	r.settleBatch(ctx, batch)
	beside.Wait()
	return true
}

// takeDecided takes a batch if at least that many outcomes wait.
func (r *Relay) takeDecided(least int) []*item {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := min(len(r.decided), r.cfg.SettleBatch)
	if n < least {
		return nil
	}
	batch := slices.Clone(r.decided[:n])
	r.decided = slices.Delete(r.decided, 0, n)
	return batch
}

// settleBatch repeats until the outcomes are written, or until the relay is
// at its end and leaves them to their leases.
func (r *Relay) settleBatch(ctx context.Context, batch []*item) {
	var wait backoff
	for refused := 0; ; {
		err := r.settleOnce(ctx, batch)
		if err == nil {
			return
		}
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
			r.loopError(ctx, "settle", err)
			r.setAside(batch)
			return
		}
		if !errors.Is(err, outbox.ErrStoreDown) && ctx.Err() == nil {
			refused++
		}
		if refused >= 3 { // not an outage: find the outcome that is refused
			r.settleParts(ctx, batch, err)
			return
		}
		r.loopError(ctx, "settle", err)
		r.setFailing(batch) // so that their leases are renewed meanwhile
		if !pause(ctx, wait.next(), nil) {
			r.abandon(batch)
			return
		}
	}
}

func (r *Relay) settleParts(ctx context.Context, batch []*item, err error) {
	if len(batch) > 1 {
		r.settleBatch(ctx, batch[:len(batch)/2])
		r.settleBatch(ctx, batch[len(batch)/2:])
		return
	}
	r.log.Error("outbox: the database refuses an outcome; the event will be delivered again after its lease",
		"event_id", batch[0].event.ID, "event_type", batch[0].event.Type, "outcome", batch[0].outcome.Kind.String(), "error", err)
	r.abandon(batch)
}

func (r *Relay) settleOnce(ctx context.Context, batch []*item) error {
	outcomes := make([]outbox.Outcome, len(batch))
	r.mu.Lock()
	again := batch[0].sent // then all were
	for i, it := range batch {
		outcomes[i] = it.outcome
		it.state, it.sent = settling, true
	}
	r.mu.Unlock()
	start := time.Now()
	stale, err := r.store.Settle(ctx, r.owner, outcomes, r.cfg.Retention != DeleteAtSettle)
	took := time.Since(start)
	if r.hooks.Settled != nil {
		info := outbox.StatementInfo{Rows: len(batch), Stale: len(stale), Took: took, Err: err}
		if again {
			info.Unknown = len(stale)
		}
		r.hooks.Settled(info)
	}
	if err != nil {
		return err
	}
	switch {
	case len(stale) > 0 && again:
		r.log.Info("outbox: outcomes had been written by the try before, or came too late", "events", len(stale))
	case len(stale) > 0:
		r.log.Warn("outbox: outcomes came too late and changed nothing", "events", len(stale))
	}
	r.settled(batch, stale, took)
	return nil
}

// settled forgets what is written. What was stale changed nothing; if this
// process holds a newer claim of the row, the outcome is sent under that one,
// since the run it is about has happened.
func (r *Relay) settled(batch []*item, stale []outbox.Held, took time.Duration) {
	late := make(map[outbox.Held]bool, len(stale))
	for _, h := range stale {
		late[h] = true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failing, r.settleTook = false, took
	for _, it := range batch {
		r.unsettled--
		if it.next != nil && late[it.outcome.Held] && it.next.held.Seq == it.held.Seq {
			it.held, it.leaseFrom, it.leaseFor = it.next.held, it.next.leaseFrom, it.next.leaseFor
			it.outcome.Held, it.outcome.Locator = it.held, it.next.locator
			it.next, it.sent = nil, false
			r.queueOutcome(it)
			continue
		}
		if it.outcome.Delay > 0 && !late[it.outcome.Held] && r.stuck[it.held.EventID] == nil { // others first
			r.wakeAt(it.lane, time.Now().Add(it.outcome.Delay))
		}
		r.forget(it)
		r.endLone(it)
	}
	r.dispatchAll()
	if r.unsettled < r.cfg.MaxUnsettled && r.unsettled+len(batch) >= r.cfg.MaxUnsettled {
		r.pollWake.signal()
	}
	r.checkQuiet()
}

func (r *Relay) setFailing(batch []*item) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failing = true
	for _, it := range batch {
		it.state = decided
	}
}

// abandon leaves outcomes unwritten: the leases end, and somebody delivers again.
func (r *Relay) abandon(batch []*item) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, it := range batch {
		r.unsettled--
		r.forget(it)
		r.endLone(it)
	}
	r.checkQuiet()
}
