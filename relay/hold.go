package relay

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/sendoff-go/outbox"
)

// holdLoop keeps the leases of all that is in memory, ends runs that outlive
// their lease or their deadline, and never stops before the last is settled.
func (r *Relay) holdLoop(ctx context.Context) {
	every := max(min(r.cfg.Lease, r.cfg.HeadStart)/15, 10*time.Millisecond)
	var wait backoff
	for pause(ctx, every+wait.d, r.holdWake) {
		r.watchRuns(time.Now())
		take, renew := r.dueLeases(time.Now())
		taken, renewed := r.take(ctx, take), r.renew(ctx, renew)
		if taken != nil {
			r.loopError(ctx, "take", taken)
		}
		if renewed != nil {
			r.loopError(ctx, "renew", renewed)
		}
		if taken == nil && renewed == nil {
			wait.reset()
		} else {
			wait.next()
		}
	}
}

// dueLeases picks what has used a third of its lease. A queued hot event is
// claimed instead, since it may wait for long. From here on until the answer it
// does not run: the claim changes its number, and an outcome under the old one
// would change nothing.
func (r *Relay) dueLeases(now time.Time) (take, renew []*item) {
	r.mu.Lock()
	defer r.mu.Unlock()
	pick := func(it *item) {
		if it.left(now) > it.leaseFor*2/3 || it.state == settling || it.state == dropped {
			return
		}
		if it.state == queued && it.held.ClaimNo == 0 {
			if it.left(now) < r.cfg.Margin+it.leaseFor/10 {
				it.taking = true
				take = append(take, it)
			}
			return
		}
		renew = append(renew, it)
	}
	for _, it := range r.held {
		pick(it)
		if it.next != nil {
			pick(it.next)
		}
	}
	return take, renew
}

// renew extends leases. What is held no longer is dropped if it waits, and
// cancelled if it runs; its outcome is still sent, and the fence decides.
func (r *Relay) renew(ctx context.Context, items []*item) error {
	for part := range slices.Chunk(items, r.cfg.SettleBatch) {
		if err := r.renewApart(ctx, part); err != nil {
			return err
		}
	}
	return nil
}

// renewParts is into how many a statement is divided that took too long.
const renewParts = 16

// renewApart renews a batch, and if that takes too long its parts, until a row
// that somebody has locked is alone. Nobody else can claim that one either. If
// nothing at all can be renewed, it is not a row that is to blame.
func (r *Relay) renewApart(ctx context.Context, items []*item) error {
	// MySQL waits for a lock at least a second before it says so.
	limited, cancel := context.WithTimeout(ctx, max(r.cfg.Lease/10, min(1200*time.Millisecond, r.cfg.Lease/3)))
	err := r.renewBatch(limited, items)
	cancel()
	if len(items) == 1 || ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	var renewed, failed int
	for part := range slices.Chunk(items, (len(items)+renewParts-1)/renewParts) {
		if r.renewApart(ctx, part) == nil {
			renewed++
		} else {
			failed++
		}
		if renewed == 0 && failed == 3 {
			break
		}
	}
	if renewed == 0 {
		return err
	}
	return nil
}

func (r *Relay) renewBatch(ctx context.Context, items []*item) error {
	rows := make([]outbox.Renewal, len(items))
	r.mu.Lock()
	for i, it := range items {
		rows[i].Held = it.held
	}
	r.mu.Unlock()
	start := time.Now()
	lost, err := r.store.Renew(ctx, r.owner, r.cfg.Lease, rows)
	if r.hooks.Renewed != nil {
		r.hooks.Renewed(outbox.StatementInfo{Rows: len(rows), Stale: len(lost), Took: time.Since(start), Err: err})
	}
	if err != nil {
		return err
	}
	gone := make(map[outbox.Held]bool, len(lost))
	for _, h := range lost {
		gone[h] = true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, it := range items {
		if gone[rows[i].Held] {
			r.lost(it)
		} else {
			r.extended(it, rows[i].Held, start)
		}
	}
	return nil
}

// take claims queued hot events by name. If there is no answer, whether they
// were claimed is unknown, and they wait until a later try has one.
func (r *Relay) take(ctx context.Context, items []*item) error {
	if len(items) == 0 {
		return nil
	}
	rows := make([]outbox.Held, len(items))
	r.mu.Lock()
	for i, it := range items {
		rows[i] = it.held
	}
	r.mu.Unlock()
	start := time.Now()
	got, err := r.store.Take(ctx, r.owner, r.cfg.Lease, rows)
	if err != nil {
		return err
	}
	taken := make(map[string]outbox.Held, len(got))
	for _, h := range got {
		taken[h.EventID] = h
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, it := range items {
		it.taking = false
		h, ok := taken[rows[i].EventID]
		switch {
		case it.state != queued: // replaced by a newer claim
		case !ok:
			r.drop(it)
		default:
			it.held = h
			r.extended(it, h, start)
			r.carryOn(it)
		}
	}
	return nil
}

// carryOn does what could not be done with an event while it was taken.
func (r *Relay) carryOn(it *item) {
	if r.phase == stopping {
		r.giveBack(it, 0)
		return
	}
	r.dispatch(it.lane)
}

// extended notes a lease that was renewed, unless the event went on meanwhile
// under another claim, and makes a waiting one ready again that had lapsed.
func (r *Relay) extended(it *item, h outbox.Held, from time.Time) {
	if it.held != h {
		return
	}
	it.leaseFrom, it.leaseFor, it.locator = from, r.cfg.Lease, 0 // the row has moved
	if it.lapsed {
		it.lapsed = false
		if it.state == queued {
			r.readyFront(it)
			r.dispatch(it.lane)
		}
	}
}

func (r *Relay) lost(it *item) {
	switch it.state {
	case queued:
		r.drop(it)
	case running:
		if it.run != nil {
			it.run.cancel()
		}
	}
}

// stuckGrace is how long a run may go on after its context has ended before
// its event is settled without it.
const stuckGrace = time.Second

// watchRuns cancels runs whose lease ran out by the clock of the process, and
// gives up on those that ignore the end of their context.
func (r *Relay) watchRuns(now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.running == 0 {
		return
	}
	for _, it := range r.held {
		if it.state != running {
			continue
		}
		if it.left(now) <= 0 && it.run != nil {
			it.run.cancel()
		}
		if now.Sub(it.started) > it.lane.cfg.Timeout+stuckGrace {
			r.giveUpRun(it, now)
		}
	}
}

// giveUpRun settles an event whose run does not end. The run keeps its worker,
// and the event does not run again here before it has ended.
func (r *Relay) giveUpRun(it *item, now time.Time) {
	r.log.Error("outbox: a listener ignores the end of its context and keeps its worker",
		"event_id", it.event.ID, "event_type", it.event.Type, "running", now.Sub(it.started))
	if r.hooks.Stuck != nil {
		r.hooks.Stuck(outbox.QueueInfo{Lane: it.lane.name, N: 1})
	}
	settle, event := *it, *it.event // the run goes on using its own
	settle.event = &event
	settle.holdsKey, settle.run, it.next, it.lone = false, nil, nil, false
	it.state = stuck
	r.stuck[it.held.EventID] = it
	r.held[it.held.EventID] = &settle
	it.size = 0
	r.decide(&settle, errTimeout, now.Sub(it.started))
}
