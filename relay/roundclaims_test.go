package relay_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
)

// taking are listeners whose runs take so long.
func taking(d time.Duration, types ...string) func(r *rig) {
	return func(r *rig) {
		for _, name := range types {
			r.reg.Handle(name, func(context.Context, outbox.Event) error { <-time.After(d); return nil })
		}
	}
}

// wantRound runs a round, which delivers all and claims at most so often.
func (r *rig) wantRound(ctx context.Context, cfg relay.Config, delivered int, claims int64) {
	r.t.Helper()
	c := &counting{Store: r.store}
	r.over(c, cfg)
	rep, err := r.relay.RunOnce(ctx)
	if err != nil || rep != (relay.Report{Delivered: delivered}) {
		r.t.Errorf("%+v, %v", rep, err)
	}
	if n := c.claims.Load(); n > claims {
		r.t.Errorf("%d claims, at most %d expected", n, claims)
	}
}

// A round waits for room, rather than for a single row, and does not spin meanwhile.
func TestARoundClaimsOnlyWhenThereIsRoomForMore(t *testing.T) {
	for _, c := range []struct {
		events, workers, queue, batch int
		claims                        int64
	}{
		{1000, 1, 1000, 50, 60}, {1000, 4, 10, 5, 300}, {200, 1, 1, 1, 300}, {1000, 1, 4, 50, 600},
	} {
		t.Run(fmt.Sprintf("%d events, %d workers, queue %d, batch %d", c.events, c.workers, c.queue, c.batch), func(t *testing.T) {
			cfg := relay.Config{Lane: relay.LaneConfig{Workers: c.workers, ColdQueue: c.queue, Batch: c.batch}}
			bubble(t, cfg, func(r *rig) {
				taking(time.Second, "A")(r)
				taking(10*time.Second, "B")(r)
			}, func(ctx context.Context, r *rig) {
				r.writeCold(ctx, events("A", c.events)...)
				r.writeCold(ctx, events("B", 5)...)
				r.wantRound(ctx, cfg, c.events+5, c.claims)
			})
		})
	}
}

// Nothing is left in the table, and runs go on for long.
func TestARoundDoesNotClaimWhileItWaitsForSlowRuns(t *testing.T) {
	cfg := relay.Config{Lane: relay.LaneConfig{Interval: time.Second}}
	bubble(t, cfg, taking(30*time.Second, "A"), func(ctx context.Context, r *rig) {
		r.writeCold(ctx, events("A", 9)...)
		r.wantRound(ctx, cfg, 9, 5)
	})
}

// One claim is for many types.
func TestARoundOverManyTypesClaimsForManyAtOnce(t *testing.T) {
	types := make([]string, 500)
	for i := range types {
		types[i] = fmt.Sprintf("type-%03d", i)
	}
	bubble(t, relay.Config{}, taking(50*time.Millisecond, types...), func(ctx context.Context, r *rig) {
		for _, name := range types {
			r.writeCold(ctx, events(name, 8)...)
		}
		begun := time.Now()
		r.wantRound(ctx, relay.Config{}, 8*len(types), 100) // how many depends on which runs end first
		if took := time.Since(begun); took > time.Second {
			t.Errorf("two runs after another, of 50 ms each, took %s", took)
		}
	})
}
