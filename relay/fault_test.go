package relay_test

import (
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/outboxtest"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/retry"
)

func faultOn(want outboxtest.Op, calls int, f outboxtest.Fault) func(outboxtest.Op, int) outboxtest.Fault {
	return func(op outboxtest.Op, call int) outboxtest.Fault {
		if op == want && call <= calls {
			return f
		}
		return outboxtest.None
	}
}

var everySecond = relay.Config{Lane: relay.LaneConfig{Interval: time.Second, Retry: retry.Fixed(time.Second), MaxAttempts: 3}}

// Scenarios 68 and 79.
func TestASettleWhoseAnswerIsLostIsAppliedOnce(t *testing.T) {
	for _, c := range []struct {
		name       string
		answer     error
		runs       int
		done, dead int64
	}{
		{"done", nil, 1, 1, 0},
		{"retry until dead", errBoom, 3, 0, 1},
		{"dead at once", outbox.Permanent(errBoom), 1, 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, relay.Config{}, func(r *rig) {
				r.reg.Handle("A", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return c.answer })
			}, func(ctx context.Context, r *rig) {
				f := r.flaky(everySecond)
				f.Plan(func(op outboxtest.Op, call int) outboxtest.Fault {
					if op == outboxtest.OpSettle && call%2 == 1 {
						return outboxtest.LoseAnswer
					}
					return outboxtest.None
				})
				r.run()
				r.write(ctx, event("A", 1))
				pass(30 * time.Second)
				if n := r.seen.times("A-00001"); n != c.runs {
					t.Errorf("%d runs, want %d", n, c.runs)
				}
				r.wantStats(ctx, 0, 0, c.done, c.dead)
				if ls := r.letters(ctx); len(ls) == 1 && ls[0].Attempts != c.runs {
					t.Errorf("attempts %d, want %d", ls[0].Attempts, c.runs)
				}
			})
		})
	}
}

func TestAnOutcomeFoundWrittenByARepetitionIsCountedAsUnknown(t *testing.T) {
	bubble(t, relay.Config{}, recordA, func(ctx context.Context, r *rig) {
		var infos []observe.StatementInfo
		cfg := everySecond
		cfg.Hooks.Settled = func(i observe.StatementInfo) { infos = append(infos, i) }
		r.flaky(cfg).Plan(faultOn(outboxtest.OpSettle, 1, outboxtest.LoseAnswer))
		r.run()
		r.write(ctx, event("A", 1))
		pass(30 * time.Second)
		if len(infos) != 2 || infos[0].Err == nil || infos[1].Stale != 1 || infos[1].Unknown != 1 {
			t.Errorf("settles %+v, want one without an answer and one whose row is unknown", infos)
		}
	})
}

func TestASettleThatFailsNeverTurnsADeliveryIntoAFailure(t *testing.T) {
	bubble(t, relay.Config{}, recordA, func(ctx context.Context, r *rig) {
		f := r.flaky(everySecond)
		f.Plan(faultOn(outboxtest.OpSettle, 8, outboxtest.Refuse))
		r.run()
		r.write(ctx, events("A", 10)...)
		pass(30 * time.Second)
		if n := len(r.seen.order()); n != 10 {
			t.Errorf("%d runs of 10 events", n)
		}
		r.wantStats(ctx, 0, 0, 10, 0)
	})
}

// Scenario 70, and rule 4: settle and renew first, then claim.
func TestAnOutageOfThreeLeasesDoublesAtMostWhatWasUnsettled(t *testing.T) {
	bubble(t, relay.Config{}, func(r *rig) {
		r.reg.Handle("A", func(ctx context.Context, e outbox.Event) error {
			r.seen.note(e)
			select {
			case <-time.After(300 * time.Millisecond):
			case <-ctx.Done():
				return ctx.Err()
			}
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		f := r.flaky(everySecond)
		r.writeCold(ctx, events("A", 500)...)
		r.run()
		pass(2 * time.Second)
		f.Plan(func(outboxtest.Op, int) outboxtest.Fault { return outboxtest.Refuse })
		pass(45 * time.Second)
		f.Plan(nil)
		pass(2 * time.Minute)
		if n := len(r.seen.order()); n > 500 {
			t.Errorf("%d runs of 500 events: nobody else was there to take one", n)
		}
		r.wantStats(ctx, 0, 0, 500, 0)
	})
}

// Scenario 69: rule 5 keeps a relay that was down from starting what it lost.
func TestARelayWhoseLeasesRanOutStartsNothingThatAnotherHas(t *testing.T) {
	bubble(t, relay.Config{}, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			if r.seen.note(e); e.ID == "A-00000" {
				<-r.gate
			}
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		f := r.flaky(relay.Config{Lane: relay.LaneConfig{Workers: 1, Interval: time.Second}})
		r.writeCold(ctx, events("A", 30)...)
		r.run()
		settled()
		// Its renewals hang as if the process were stopped; another takes over.
		f.Plan(func(op outboxtest.Op, _ int) outboxtest.Fault {
			if op == outboxtest.OpRenew || op == outboxtest.OpClaim {
				return outboxtest.Refuse
			}
			return outboxtest.None
		})
		pass(16 * time.Second)
		other := outbox.NewRegistry()
		rec := &outboxtest.Recorder{}
		other.Handle("A", rec.Handle)
		second, err := relay.New(r.store, other, relay.Config{Logger: quietLog()})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := second.RunOnce(ctx); err != nil {
			t.Fatal(err)
		}
		close(r.gate)
		f.Plan(nil)
		pass(time.Minute)
		if n := len(r.seen.order()); n != 1 || len(rec.Received()) != 30 {
			t.Errorf("the first ran %d, the second %d; only the one that was running may be double", n, len(rec.Received()))
		}
		r.wantStats(ctx, 0, 0, 30, 0)
	})
}

func TestTheDatabaseAwayAtTheStartIsWaitedFor(t *testing.T) {
	bubble(t, relay.Config{}, recordA, func(ctx context.Context, r *rig) {
		f := r.flaky(everySecond)
		f.Plan(func(outboxtest.Op, int) outboxtest.Fault { return outboxtest.Refuse })
		r.writeCold(ctx, events("A", 5)...)
		r.run()
		pass(time.Minute)
		f.Plan(nil)
		pass(5 * time.Second)
		r.wantStats(ctx, 0, 0, 5, 0)
	})
}

func TestWhatIsNotSettledIsBounded(t *testing.T) {
	bubble(t, relay.Config{}, recordA, func(ctx context.Context, r *rig) {
		cfg := everySecond
		cfg.MaxUnsettled = 20
		f := r.flaky(cfg)
		f.Plan(func(op outboxtest.Op, _ int) outboxtest.Fault {
			if op == outboxtest.OpSettle {
				return outboxtest.Refuse
			}
			return outboxtest.None
		})
		r.writeCold(ctx, events("A", 100)...)
		r.run()
		pass(10 * time.Second)
		if n := len(r.seen.order()); n < 10 || n > 20 { // one type may have half, and its runs end
			t.Errorf("%d delivered while nothing can be settled; the bound is 20", n)
		}
		f.Plan(nil)
		pass(30 * time.Second)
		if n := len(r.seen.order()); n != 100 {
			t.Errorf("%d runs of 100", n)
		}
	})
}

// crash is a relay's end without a shutdown: its store never answers again.
func (r *rig) crash(f *outboxtest.FlakyStore) {
	f.Plan(func(outboxtest.Op, int) outboxtest.Fault { return outboxtest.Refuse })
	r.stop()
}

// crashLoop runs relays one after the other. When a listener closes the gate, its
// relay crashes, and the next one starts after the leases have ended. It returns
// the number of crashes before a relay that survives a minute.
func (r *rig) crashLoop() (crashes int) {
	for range 20 {
		f := r.flaky(everySecond)
		r.gate = make(chan struct{})
		r.run()
		select {
		case <-r.gate:
			crashes++
			r.crash(f)
			pass(16 * time.Second)
			continue
		case <-time.After(time.Minute):
		}
		r.stop()
		break
	}
	return crashes
}

// Scenario 71, and rule 7.
func TestAnEventThatEndsItsProcessIsDeadAfterThreeLoneRuns(t *testing.T) {
	bubble(t, relay.Config{}, func(r *rig) {
		r.reg.Handle("A", func(ctx context.Context, e outbox.Event) error {
			r.seen.note(e)
			if e.ID == "A-00050" {
				close(r.gate) // the process ends here
				<-ctx.Done()
				return ctx.Err()
			}
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.writeCold(ctx, events("A", 200)...)
		crashes := r.crashLoop()
		ls := r.letters(ctx)
		if len(ls) != 1 || ls[0].EventID != "A-00050" || ls[0].Attempts != 3 {
			t.Errorf("%d dead letters", len(ls))
		}
		if crashes != 6 {
			t.Errorf("%d crashes, want three among others and three alone", crashes)
		}
		r.wantStats(ctx, 0, 0, 199, 1)
	})
}
