package relay

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox"
)

// Report is what one round did.
type Report struct {
	Delivered int // done
	Retried   int // failed, and will be tried again
	Dead      int // given up
	Released  int // given back without an attempt
}

// RunOnce delivers what is due now and returns when it is settled. It follows
// no retries that become due meanwhile, and cannot run beside [Relay.Run].
func (r *Relay) RunOnce(ctx context.Context) (Report, error) {
	if err := r.begin(ctx); err != nil {
		return Report{}, err
	}
	loopCtx, end := context.WithCancel(context.WithoutCancel(ctx))
	holding := r.start(loopCtx, r.settleLoop, r.holdLoop, r.confirmLoop)
	r.mu.Lock()
	before := r.report()
	r.mu.Unlock()
	err := r.round(ctx)
	if ctx.Err() != nil {
		r.stop()
	}
	r.await(context.WithoutCancel(ctx), r.cfg.DrainTimeout, true)
	end()
	holding.Wait()
	r.workers.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.report()
	r.reset()
	return Report{
		Delivered: now.Delivered - before.Delivered, Retried: now.Retried - before.Retried,
		Dead: now.Dead - before.Dead, Released: now.Released - before.Released,
	}, err
}

func (r *Relay) report() Report {
	return Report{
		Delivered: r.counts[outbox.Done], Retried: r.counts[outbox.Retry],
		Dead: r.counts[outbox.Dead], Released: r.counts[outbox.Release],
	}
}

// round claims until nothing new is due.
func (r *Relay) round(ctx context.Context) error {
	if err := r.look(ctx); err != nil {
		return err
	}
	seen := map[string]bool{}
	for ctx.Err() == nil {
		ws := r.onceWants()
		if len(ws) == 0 {
			return nil
		}
		before := len(seen)
		rows, err := r.claim(ctx, ws)
		if err != nil {
			return err
		}
		for i := range rows {
			seen[rows[i].EventID] = true
		}
		r.await(ctx, 24*time.Hour, true)
		if len(seen) == before {
			return nil
		}
	}
	return ctx.Err()
}

func (r *Relay) onceWants() []want {
	r.mu.Lock()
	defer r.mu.Unlock()
	var ws []want
	for _, l := range r.lanes {
		if !l.paused && l.room() > 0 && !r.breakerOf(r.reg.Lookup(outbox.GlobalAggregate, l.name)).opened() {
			ws = append(ws, want{lane: l, rows: min(l.poll.batch, l.room()), head: true})
		}
	}
	return ws
}
