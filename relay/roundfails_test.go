package relay_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/outboxtest"
	"github.com/sendoff-go/outbox/relay"
)

// A claim of the round fails while events of writers run and wait.
func TestARoundThatFailsEndsItsRunsAndGivesBackTheRest(t *testing.T) {
	cfg := relay.Config{Lane: relay.LaneConfig{Workers: 1, Batch: 1, ColdQueue: 1}}
	var written atomic.Bool
	var runCtx context.Context
	bubble(t, cfg, func(r *rig) {
		r.stays = true
		r.reg.Handle("A", func(ctx context.Context, e outbox.Event) error {
			r.seen.note(e)
			runCtx = ctx //nolint:fatcontext // it is looked at after the run
			<-ctx.Done() // heeds its context
			return ctx.Err()
		})
		r.reg.Handle("B", func(_ context.Context, e outbox.Event) error { // gives the writer time
			<-time.After(time.Second)
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		f := r.flaky(cfg)
		f.Plan(func(op outboxtest.Op, n int) outboxtest.Fault {
			if op == outboxtest.OpClaim && written.Load() {
				return outboxtest.Refuse
			}
			return outboxtest.None
		})
		r.writeCold(ctx, events("B", 5)...) // the round claims one after the other
		done := make(chan error)
		go func() {
			_, err := r.relay.RunOnce(ctx)
			done <- err
		}()
		pass(500 * time.Millisecond)
		r.write(ctx, event("A", 1), event("A", 2)) // hot: one runs, one waits
		written.Store(true)
		err := <-done
		if err == nil {
			t.Fatal("no claim failed")
		}
		if runCtx.Err() == nil {
			t.Errorf("RunOnce has returned (%v), still running: %t, and the context of its run goes on", err, errors.Is(err, relay.ErrStillRunning))
		}
		if s := r.stats(ctx); s.Held.N != 0 {
			t.Errorf("%d rows are held after RunOnce, expected that they were given back", s.Held.N)
		}
		pass(10 * time.Minute)
	})
}
