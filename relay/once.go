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

// RunOnce delivers what is due and returns when it is settled. It tries each
// event once, also one whose retry is due at once, and a destination that was
// away when it is time to probe it. When ctx ends, it returns within the drain
// timeout; a listener that ignores the end of its context goes on, and its
// event is left to its lease. It cannot run beside [Relay.Run].
func (r *Relay) RunOnce(ctx context.Context) (Report, error) {
	if err := r.begin(ctx); err != nil {
		return Report{}, err
	}
	loopCtx, end := context.WithCancel(context.WithoutCancel(ctx))
	holding := r.start(loopCtx, r.settleLoop, r.asideLoop, r.holdLoop, r.confirmLoop)
	r.mu.Lock()
	before := r.report()
	r.tried = map[string]bool{}
	r.mu.Unlock()
	err := r.round(ctx)
	if ctx.Err() != nil {
		r.stop()
	}
	r.await(context.WithoutCancel(ctx), r.cfg.DrainTimeout, true)
	r.drain()
	end()
	holding.Wait()
	r.awaitWorkers()
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.report()
	r.tried = nil
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
	r.probeDue(ctx)
	for ctx.Err() == nil {
		ws, seen := r.onceWants()
		if len(ws) == 0 {
			return nil
		}
		if err := r.claim(ctx, ws); err != nil {
			return err
		}
		r.await(ctx, 24*time.Hour, true)
		if _, now := r.onceWants(); now == seen {
			return nil
		}
	}
	return ctx.Err()
}

// onceWants asks for every lane from its head, and says how many events the
// round has claimed so far.
func (r *Relay) onceWants() (ws []want, seen int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, l := range r.lanes {
		if _, away := r.destinations(l); !l.paused && l.room() > 0 && !away {
			ws = append(ws, want{lane: l, rows: min(l.poll.batch, l.room()), head: true})
		}
	}
	return ws, len(r.tried)
}
