package relay_test

import (
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/outboxtest"
	"github.com/sendoff-go/outbox/relay"
)

// flaky puts a store that fails on demand between the relay and the rig's.
func (r *rig) flaky(cfg relay.Config) *outboxtest.FlakyStore {
	f := outboxtest.NewFlakyStore(r.store)
	r.over(f, cfg)
	return f
}

// over makes the relay anew, on a store that stands before the rig's.
func (r *rig) over(s driver.Store, cfg relay.Config) {
	r.t.Helper()
	if cfg.Logger == nil {
		cfg.Logger = quietLog()
	}
	rel, err := relay.New(s, r.reg, cfg)
	if err != nil {
		r.t.Fatal(err)
	}
	r.relay = rel
	r.w = outbox.NewWriter(r.store, rel.HotPath(), outbox.WithLogger(quietLog()))
}

// Scenario 34.
func TestThePollerDrainsWithoutPausesAndWaitsOtherwise(t *testing.T) {
	bubble(t, relay.Config{}, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
	}, func(ctx context.Context, r *rig) {
		f := r.flaky(relay.Config{})
		r.writeCold(ctx, events("A", 3000)...)
		start := time.Now()
		r.run()
		settled()
		if n := len(r.seen.order()); n != 3000 || time.Since(start) > time.Second {
			t.Errorf("delivered %d in %s", n, time.Since(start))
		}
		f.Plan(nil)
		pass(60 * time.Second)
		if n := f.Calls(outboxtest.OpClaim); n < 11 || n > 14 {
			t.Errorf("%d claims in a minute of idling at an interval of 5 s", n)
		}
		f.Plan(func(op outboxtest.Op, call int) outboxtest.Fault { // all wake-ups come before the first answer
			if op == outboxtest.OpClaim && call == 1 {
				return outboxtest.Late
			}
			return outboxtest.None
		})
		r.writeCold(ctx, event("A", 9000))
		for range 100 {
			r.relay.Wake("A")
		}
		pass(2 * time.Second)
		if r.seen.times("A-09000") != 1 || f.Calls(outboxtest.OpClaim) > 5 {
			t.Errorf("woken: delivered %d times with %d claims", r.seen.times("A-09000"), f.Calls(outboxtest.OpClaim))
		}
	})
}

func TestAFullLaneIsNotAskedFor(t *testing.T) {
	bubble(t, relay.Config{}, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error { <-r.gate; r.seen.note(e); return nil })
	}, func(ctx context.Context, r *rig) {
		f := r.flaky(relay.Config{Lane: relay.LaneConfig{Workers: 1, ColdQueue: 10, Batch: 10, Interval: 100 * time.Millisecond}})
		r.writeCold(ctx, events("A", 100)...)
		r.run()
		settled()
		f.Plan(nil)
		pass(10 * time.Second)
		if n := f.Calls(outboxtest.OpClaim); n != 0 {
			t.Errorf("%d claims without room", n)
		}
		close(r.gate)
		pass(5 * time.Second)
		if n := len(r.seen.order()); n != 100 {
			t.Errorf("delivered %d of 100", n)
		}
	})
}

// Scenario 12.
func TestADelayedEventIsNotDeliveredEarly(t *testing.T) {
	var at time.Duration
	bubble(t, relay.Config{Lane: relay.LaneConfig{Interval: time.Second}}, func(r *rig) {
		start := time.Now()
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error { at = time.Since(start); r.seen.note(e); return nil })
	}, func(ctx context.Context, r *rig) {
		r.run()
		e := event("A", 1)
		e.DeliverAfter = time.Minute
		r.write(ctx, e)
		pass(2 * time.Minute)
		if at < time.Minute || at > time.Minute+2*time.Second {
			t.Errorf("delivered after %s", at)
		}
	})
}

// Scenario 62.
func TestTheLostAnswerToAClaimDelaysByALeaseAndDoublesNothing(t *testing.T) {
	bubble(t, relay.Config{}, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
	}, func(ctx context.Context, r *rig) {
		f := r.flaky(relay.Config{Lane: relay.LaneConfig{Interval: time.Second}})
		f.Plan(func(op outboxtest.Op, call int) outboxtest.Fault {
			if op == outboxtest.OpClaim && call == 1 {
				return outboxtest.LoseAnswer
			}
			return outboxtest.None
		})
		r.writeCold(ctx, events("A", 20)...)
		r.run()
		pass(17 * time.Second)
		if n := len(r.seen.order()); n != 20 {
			t.Errorf("%d deliveries of 20 events", n)
		}
		r.wantStats(ctx, 0, 0, 20, 0)
	})
}

// Scenario 73.
func TestTwoRelaysTakeTheirOwnTypes(t *testing.T) {
	bubble(t, relay.Config{}, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
	}, func(ctx context.Context, r *rig) {
		other := outbox.NewRegistry()
		rec := &outboxtest.Recorder{}
		other.Handle("B", rec.Handle)
		second, err := relay.New(r.store, other, relay.Config{Logger: quietLog()})
		if err != nil {
			t.Fatal(err)
		}
		ctx2, cancel := context.WithCancel(ctx)
		done := make(chan error)
		go func() { done <- second.Run(ctx2) }()
		r.run()
		r.writeCold(ctx, append(events("A", 50), events("B", 50)...)...)
		pass(6 * time.Second)
		cancel()
		<-done
		if len(r.seen.order()) != 50 || len(rec.Received()) != 50 {
			t.Errorf("A %d, B %d", len(r.seen.order()), len(rec.Received()))
		}
		r.wantStats(ctx, 0, 0, 100, 0)
	})
}

func TestAPauseIsInForceWithinTwoSeconds(t *testing.T) {
	bubble(t, relay.Config{Lane: relay.LaneConfig{Interval: 100 * time.Millisecond}}, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
	}, func(ctx context.Context, r *rig) {
		r.run()
		for i, paused := range []bool{true, false, true} {
			pass(4*time.Second + 900*time.Millisecond)
			if err := r.store.SetPaused(ctx, driver.PausableLane("*"), paused, "test"); err != nil {
				t.Fatal(err)
			}
			pass(2 * time.Second)
			before := len(r.seen.order())
			r.writeCold(ctx, numbered("A", i, i+1)...)
			pass(time.Second)
			if delivered := len(r.seen.order()) > before; delivered == paused {
				t.Errorf("paused %t, delivered %t", paused, delivered)
			}
		}
	})
}

func TestALaneThatIsPausedIsGivenBackAndResumes(t *testing.T) {
	bubble(t, relay.Config{Lane: relay.LaneConfig{Workers: 1, Interval: time.Second}, LookInterval: time.Second}, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error { <-r.gate; r.seen.note(e); return nil })
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.write(ctx, events("A", 10)...)
		if err := r.store.SetPaused(ctx, driver.PausableLane("A"), true, "test"); err != nil {
			t.Fatal(err)
		}
		pass(2 * time.Second)
		r.wantStats(ctx, 9, 1, 0, 0) // one runs, the others are free for anybody
		close(r.gate)
		pass(10 * time.Second)
		if n := len(r.seen.order()); n != 1 {
			t.Errorf("delivered %d while paused", n)
		}
		if err := r.store.SetPaused(ctx, driver.PausableLane("A"), false, "test"); err != nil {
			t.Fatal(err)
		}
		pass(10 * time.Second)
		if n := len(r.seen.order()); n != 10 {
			t.Errorf("delivered %d after the pause", n)
		}
	})
}
