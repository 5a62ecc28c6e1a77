package relay_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/retry"
)

// Scenario 33.
func TestAShutdownFinishesWhatRunsAndReleasesTheRest(t *testing.T) {
	bubble(t, relay.Config{Lane: relay.LaneConfig{Workers: 1, Interval: time.Second}}, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			r.seen.note(e)
			<-time.After(time.Second)
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.writeCold(ctx, events("A", 100)...)
		pass(2500 * time.Millisecond)
		start := time.Now()
		r.stop()
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("the shutdown took %s", took)
		}
		n := int64(len(r.seen.order()))
		r.wantStats(ctx, 100-n, 0, n, 0) // nothing is held: the next takes over at once
		r.run()
		pass(2 * time.Minute)
		r.wantStats(ctx, 0, 0, 100, 0)
		if n := len(r.seen.order()); n != 100 {
			t.Errorf("%d runs of 100 events", n)
		}
	})
}

// Scenario 80, second half.
func TestWhatStillRunsAtTheDeadlineIsCancelledAndLeftToItsLease(t *testing.T) {
	bubble(t, relay.Config{Lane: relay.LaneConfig{Interval: time.Second}}, func(r *rig) {
		r.reg.Handle("A", func(context.Context, outbox.Event) error { <-r.gate; return nil })
	}, func(ctx context.Context, r *rig) {
		r.stays = true
		r.run()
		r.write(ctx, event("A", 1))
		settled()
		r.stop()
		r.wantStats(ctx, 0, 1, 0, 0)
		close(r.gate)
		pass(time.Minute)
		r.wantStats(ctx, 1, 0, 0, 0)
	})
}

func TestAListenerThatHeedsTheShutdownIsNotCountedAsFailed(t *testing.T) {
	bubble(t, relay.Config{Lane: relay.LaneConfig{Interval: time.Second, MaxAttempts: 1}}, func(r *rig) {
		r.reg.Handle("A", func(ctx context.Context, _ outbox.Event) error { <-ctx.Done(); return ctx.Err() })
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.write(ctx, event("A", 1))
		settled()
		r.stop()
		r.wantStats(ctx, 1, 0, 0, 0)
	})
}

func TestASecondRunIsRefused(t *testing.T) {
	bubble(t, relay.Config{}, recordA, func(ctx context.Context, r *rig) {
		r.run()
		if err := r.relay.Run(ctx); !errors.Is(err, relay.ErrRunning) {
			t.Errorf("error %v", err)
		}
		if _, err := r.relay.RunOnce(ctx); !errors.Is(err, relay.ErrRunning) {
			t.Errorf("error %v", err)
		}
	})
}

func TestRunOnceDoesOneRound(t *testing.T) {
	bubble(t, relay.Config{Lane: relay.LaneConfig{MaxAttempts: 2, Retry: retry.Fixed(0)}}, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			r.seen.note(e)
			switch e.ID {
			case "A-00001":
				return errBoom
			case "A-00002":
				return outbox.Permanent(errBoom)
			}
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.writeCold(ctx, events("A", 500)...)
		got, err := r.relay.RunOnce(ctx)
		if err != nil || got.Delivered != 498 || got.Dead < 1 || r.seen.times("A-00003") != 1 {
			t.Errorf("report %+v, %v", got, err)
		}
		if _, err := r.relay.RunOnce(ctx); err != nil {
			t.Fatal(err)
		}
		r.wantStats(ctx, 0, 0, 498, 2)
	})
}

func TestContradictoryRegistrationsAndSettingsAreReportedAtOnce(t *testing.T) {
	reg := outbox.NewRegistry()
	reg.Handle("A", func(context.Context, outbox.Event) error { return nil })
	reg.Handle("A", func(context.Context, outbox.Event) error { return nil })
	_, err := relay.New(nil, reg, relay.Config{Lease: time.Millisecond, Lane: relay.LaneConfig{Workers: -1}})
	if !errors.Is(err, outbox.ErrRegistry) || len(err.(interface{ Unwrap() []error }).Unwrap()) != 2 {
		t.Errorf("error %v", err)
	}
}

// The listener ignores its context.
func TestAShutdownDoesNotHandOverWhatStillRuns(t *testing.T) {
	cfg := relay.Config{Lane: relay.LaneConfig{Interval: time.Second, Timeout: 5 * time.Second}}
	bubble(t, cfg, stuckAt("A-00000"), func(ctx context.Context, r *rig) {
		r.stays = true
		r.run()
		r.writeCold(ctx, event("A", 0))
		r.relay.Wake("A")
		pass(1500 * time.Millisecond)
		r.stop()
		for range 10 {
			if s := r.stats(ctx); s.OldestDue > 0 || s.Waiting.N+s.Held.N != 1 {
				t.Fatalf("%+v: others could run it at once", s)
			}
			pass(time.Second)
		}
		close(r.gate)
	})
}
