package relay_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/outboxtest"
	"github.com/sendoff-go/outbox/relay"
)

// Answers of the database that take their time: what happens meanwhile must
// not contradict them.

func late(ops ...outboxtest.Op) func(outboxtest.Op, int) outboxtest.Fault {
	return func(op outboxtest.Op, _ int) outboxtest.Fault {
		for _, o := range ops {
			if op == o {
				return outboxtest.Late
			}
		}
		return outboxtest.None
	}
}

func TestAnEventThatIsBeingTakenDoesNotRunBeforeTheAnswer(t *testing.T) {
	for name, plan := range map[string]func(outboxtest.Op, int) outboxtest.Fault{
		"answers that take a second": late(outboxtest.OpTake),
		"the first answer is lost": func(op outboxtest.Op, call int) outboxtest.Fault {
			if op == outboxtest.OpTake && call == 1 {
				return outboxtest.LoseAnswer
			}
			return outboxtest.None
		},
	} {
		t.Run(name, func(t *testing.T) {
			var stale atomic.Int64
			cfg := relay.Config{Lane: relay.LaneConfig{Workers: 1, Interval: time.Second}}
			cfg.Hooks.Settled = func(i observe.StatementInfo) { stale.Add(int64(i.Stale)) }
			bubble(t, cfg, func(r *rig) {
				r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
					r.seen.note(e)
					<-time.After(50 * time.Millisecond)
					return nil
				})
			}, func(ctx context.Context, r *rig) {
				r.flaky(cfg).Plan(plan)
				r.run()
				r.write(ctx, events("A", 200)...) // 10 s of work, with a head start of 5
				pass(2 * time.Minute)
				for _, e := range events("A", 200) {
					if n := r.seen.times(e.ID); n != 1 {
						t.Errorf("%s ran %d times", e.ID, n)
					}
				}
				if stale.Load() != 0 {
					t.Errorf("%d outcomes came too late", stale.Load())
				}
				r.wantStats(ctx, 0, 0, 200, 0)
			})
		})
	}
}

func TestAnEventThatIsBeingTakenIsGivenBackAtTheEnd(t *testing.T) {
	cfg := relay.Config{Lane: relay.LaneConfig{Workers: 1}}
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("A", func(ctx context.Context, e outbox.Event) error {
			r.seen.note(e)
			<-ctx.Done()
			return ctx.Err()
		})
	}, func(ctx context.Context, r *rig) {
		f := r.flaky(cfg)
		f.Plan(late(outboxtest.OpTake))
		r.run()
		r.write(ctx, events("A", 50)...)
		for f.Calls(outboxtest.OpTake) == 0 {
			pass(10 * time.Millisecond)
		}
		r.stop()
		r.wantStats(ctx, 50, 0, 0, 0)
	})
}

func TestAClaimThatIsUnderWayAtTheEndIsGivenBack(t *testing.T) {
	bubble(t, everySecond, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			r.seen.note(e)
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		f := r.flaky(everySecond)
		r.writeCold(ctx, events("A", 50)...)
		f.Plan(late(outboxtest.OpClaim))
		r.run()
		for f.Calls(outboxtest.OpClaim) == 0 {
			pass(10 * time.Millisecond)
		}
		r.stop()
		r.wantStats(ctx, 50, 0, 0, 0)
	})
}

func TestAClaimThatHangsDoesNotHoldUpTheEnd(t *testing.T) {
	bubble(t, everySecond, func(r *rig) { r.reg.Handle("A", func(context.Context, outbox.Event) error { return nil }) },
		func(ctx context.Context, r *rig) {
			f := r.flaky(everySecond)
			r.writeCold(ctx, event("A", 1))
			f.Plan(func(op outboxtest.Op, _ int) outboxtest.Fault {
				if op == outboxtest.OpClaim {
					return outboxtest.Hang
				}
				return outboxtest.None
			})
			r.run()
			for f.Calls(outboxtest.OpClaim) == 0 {
				pass(10 * time.Millisecond)
			}
			start := time.Now()
			r.stop()
			if took := time.Since(start); took > 30*time.Second {
				t.Errorf("the end took %s", took)
			}
		})
}

func TestAnEventWhoseRunDoesNotEndGoesToAnotherRelay(t *testing.T) {
	cfg := relay.Config{Lane: relay.LaneConfig{Interval: time.Second, Timeout: 10 * time.Second}}
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			if r.seen.note(e) == 1 {
				<-r.gate
			}
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.write(ctx, event("A", 1))
		pass(30 * time.Second)
		other, err := relay.New(r.store, r.reg, relay.Config{Lane: relay.LaneConfig{Interval: 500 * time.Millisecond}, Logger: quietLog()})
		if err != nil {
			t.Fatal(err)
		}
		otherCtx, stop := context.WithCancel(ctx)
		ended := make(chan error, 1)
		go func() { ended <- other.Run(otherCtx) }()
		pass(time.Minute)
		r.wantStats(ctx, 0, 0, 1, 0)
		close(r.gate)
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if r.seen.times("A-00001") != 2 {
			t.Errorf("%d runs", r.seen.times("A-00001"))
		}
	})
}
