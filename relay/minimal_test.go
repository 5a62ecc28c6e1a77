package relay_test

import (
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/memstore"
)

// onTwoHalves replaces the relay and the writer of a rig by ones whose store has
// seven methods and the writer's half, and no power. The rig's own store is left
// to look at what became of the rows.
func onTwoHalves(r *rig, cfg relay.Config) {
	r.t.Helper()
	cfg.Logger = quietLog()
	rel, err := relay.New(struct{ driver.Store }{r.store}, r.reg, cfg)
	if err != nil {
		r.t.Fatal(err)
	}
	r.relay = rel
	half := struct{ outbox.TxStore[*memstore.Tx] }{r.store}
	r.w = outbox.NewWriter[*memstore.Tx](half, rel.HotPath(), outbox.WithNotifyInTx())
}

func TestARelayNeedsNoPowerOfItsStore(t *testing.T) {
	var loopErrors []error
	cfg := relay.Config{
		Lane: relay.LaneConfig{MaxAttempts: 3, Interval: time.Second}, Retention: time.Minute, SweepInterval: time.Second,
		Hooks: observe.Hooks{LoopError: func(in observe.LoopErrorInfo) { loopErrors = append(loopErrors, in.Err) }},
	}
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("delivered", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
		r.reg.Handle("retried", func(_ context.Context, e outbox.Event) error {
			if r.seen.note(e) == 1 {
				return errBoom
			}
			return nil
		})
		r.reg.Handle("dead", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return errBoom })
	}, func(ctx context.Context, r *rig) {
		onTwoHalves(r, cfg)
		r.run()
		r.write(ctx, event("delivered", 1), event("retried", 1), event("dead", 1)) // hot
		r.writeCold(ctx, event("delivered", 2), event("retried", 2), event("dead", 2))
		pass(10 * time.Second)
		for id, want := range map[string]int{
			"delivered-00001": 1, "delivered-00002": 1, "retried-00001": 2, "retried-00002": 2, "dead-00001": 3, "dead-00002": 3,
		} {
			if n := r.seen.times(id); n != want {
				t.Errorf("%s ran %d times, want %d", id, n, want)
			}
		}
		r.wantStats(ctx, 0, 0, 4, 2)
		pass(2 * time.Minute)
		r.wantStats(ctx, 0, 0, 0, 2) // swept
		if len(loopErrors) > 0 {
			t.Errorf("loops failed: %v", loopErrors)
		}
	})
}

func TestARoundNeedsNoPowerOfItsStore(t *testing.T) {
	bubble(t, relay.Config{}, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
	}, func(ctx context.Context, r *rig) {
		onTwoHalves(r, relay.Config{})
		r.writeCold(ctx, events("A", 100)...)
		if _, err := r.relay.RunOnce(ctx); err != nil {
			t.Fatal(err)
		}
		r.wantStats(ctx, 0, 0, 100, 0)
	})
}
