package relay_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/outboxtest"
	"github.com/sendoff-go/outbox/relay"
)

// Whether an event that failed may have been delivered.

// oneTry gives up after one attempt.
var oneTry = relay.Config{Lane: relay.LaneConfig{Interval: time.Second, Timeout: 10 * time.Second, MaxAttempts: 1}}

// onlyLetter returns the dead letter, of which there must be one.
func (r *rig) onlyLetter(ctx context.Context) driver.DeadLetter {
	r.t.Helper()
	ls := r.letters(ctx)
	if len(ls) != 1 || len(ls[0].Failures) == 0 {
		r.t.Fatalf("%d dead letters, want one with a history", len(ls))
	}
	return ls[0]
}

func TestAListenersFailureSaysItsClassAndWhetherItAnswered(t *testing.T) {
	for name, c := range map[string]struct {
		listener outbox.Listener
		class    driver.FailureClass
		maybe    bool
	}{
		"an error":            {func(context.Context, outbox.Event) error { return errBoom }, driver.ClassFailed, false},
		"a permanent error":   {func(context.Context, outbox.Event) error { return outbox.Permanent(errBoom) }, driver.ClassPermanent, false},
		"an uncertain error":  {func(context.Context, outbox.Event) error { return fmt.Errorf("call: %w", driver.Uncertain(errBoom)) }, driver.ClassFailed, true},
		"an error after time": {func(ctx context.Context, _ outbox.Event) error { <-ctx.Done(); return ctx.Err() }, driver.ClassTimeout, true},
		"not sent in time": {func(ctx context.Context, _ outbox.Event) error { <-ctx.Done(); return driver.NotSent(ctx.Err()) },
			driver.ClassTimeout, false},
		"a panic":                  {func(context.Context, outbox.Event) error { panic("boom") }, driver.ClassPanic, true},
		"the end of its goroutine": {func(context.Context, outbox.Event) error { runtime.Goexit(); return nil }, driver.ClassGoexit, true},
		"an error that panics":     {func(context.Context, outbox.Event) error { var none *nilError; return none }, driver.ClassFailed, true},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, oneTry, func(r *rig) { r.reg.Handle("A", c.listener) }, func(ctx context.Context, r *rig) {
				r.run()
				r.write(ctx, event("A", 1))
				pass(time.Minute)
				fs := r.onlyLetter(ctx).Failures
				if len(fs) != 1 || fs[0].Class != c.class || fs[0].Maybe != c.maybe || fs[0].MaybeBefore || fs[0].Attempt != 1 {
					t.Errorf("%+v, want class %s, maybe %t", fs, c.class, c.maybe)
				}
			})
		})
	}
}

type nilError struct{ text string }

func (e *nilError) Error() string { return e.text }

func TestAnEventThatReachedNoListenerWasNotDelivered(t *testing.T) {
	cfg := oneTry
	cfg.Interceptors = []outbox.Interceptor{{Before: func(context.Context, outbox.Event) (context.Context, error) { panic("before") }}}
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("A", func(context.Context, outbox.Event) error { return nil })
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.write(ctx, event("A", 1))
		settled()
		if fs := r.onlyLetter(ctx).Failures; fs[0].Class != driver.ClassPanic || driver.MaybeDelivered(fs) {
			t.Errorf("%+v", fs)
		}
	})
}

func TestAnAnswerLostInAnOutageIsRememberedAndSpendsNoAttempt(t *testing.T) {
	for name, lose := range map[string]func(s *outboxtest.FlakySink){
		"the sink says so": func(s *outboxtest.FlakySink) {
			s.Answer(func(context.Context, outbox.Message) error { return outbox.Unavailable(driver.Uncertain(errBoom)) })
		},
		"the sink hangs": func(s *outboxtest.FlakySink) { s.SetHanging(true) },
	} {
		t.Run(name, func(t *testing.T) {
			sinkRig(oneTry, t, func(ctx context.Context, r *rig, s *outboxtest.FlakySink) {
				lose(s)
				r.run()
				r.writeCold(ctx, event("A", 1))
				pass(10 * time.Minute)
				e, _, err := r.store.GetEvent(ctx, "A-00001")
				if err != nil || e.Attempts != 0 || len(e.Failures) != 1 || e.Failures[0].Attempt != 0 || !driver.MaybeDelivered(e.Failures) {
					t.Errorf("%d attempts, history %+v, %v", e.Attempts, e.Failures, err)
				}
				s.SetHanging(false)
				s.Answer(func(context.Context, outbox.Message) error { return outbox.Permanent(errBoom) })
				pass(10 * time.Minute)
				l := r.onlyLetter(ctx)
				if l.Attempts != 1 || len(l.Failures) != 2 || l.Failures[0].Class != driver.ClassUnavailable || l.Failures[1].Maybe {
					t.Errorf("%d attempts, history %+v", l.Attempts, l.Failures)
				}
				if !driver.MaybeDelivered(l.Failures) {
					t.Error("the lost answer is forgotten")
				}
			})
		})
	}
}

func TestAnOutageThatReachedNobodyLeavesNoHistory(t *testing.T) {
	sinkRig(oneTry, t, func(ctx context.Context, r *rig, s *outboxtest.FlakySink) {
		s.SetDown(true)
		r.run()
		r.writeCold(ctx, event("A", 1))
		pass(10 * time.Minute)
		if e, _, err := r.store.GetEvent(ctx, "A-00001"); err != nil || len(e.Failures) > 0 {
			t.Errorf("history %+v, %v", e.Failures, err)
		}
	})
}

func TestARelayThatDisappearedMayHaveDelivered(t *testing.T) {
	permanent := func(context.Context, outbox.Message) error { return outbox.Permanent(errBoom) }
	for name, meanwhile := range map[string]func(s *outboxtest.FlakySink){
		"the next one fails":                 func(s *outboxtest.FlakySink) { s.Answer(permanent) },
		"the next one reaches nobody before": func(s *outboxtest.FlakySink) { s.SetDown(true) },
	} {
		t.Run(name, func(t *testing.T) {
			sinkRig(oneTry, t, func(ctx context.Context, r *rig, s *outboxtest.FlakySink) {
				r.writeCold(ctx, event("A", 1))
				gone := driver.ClaimRequest{Owner: driver.NewOwner("gone"), Lease: time.Second, Wants: []driver.Want{{Lane: "A", Rows: 1}}}
				if cs, err := r.store.Claim(ctx, gone); err != nil || len(cs) != 1 {
					t.Fatal(len(cs), err)
				}
				pass(time.Minute)
				meanwhile(s)
				r.run()
				pass(10 * time.Minute)
				s.Answer(permanent)
				s.SetDown(false)
				pass(10 * time.Minute)
				l := r.onlyLetter(ctx)
				last := l.Failures[len(l.Failures)-1]
				if l.Attempts != 1 || last.Maybe || last.Attempt != 1 || !driver.MaybeDelivered(l.Failures) {
					t.Errorf("%d attempts, history %+v", l.Attempts, l.Failures)
				}
			})
		})
	}
}

func TestASuspectsLoneRunsAreCountedPastALostAnswer(t *testing.T) {
	bubble(t, relay.Config{}, func(r *rig) {
		r.reg.Handle("A", func(ctx context.Context, e outbox.Event) error {
			n := r.seen.note(e)
			if n == 1 {
				return outbox.Unavailable(driver.Uncertain(errors.New("no answer")))
			}
			close(r.gate) // the process ends here
			<-ctx.Done()
			return ctx.Err()
		})
	}, func(ctx context.Context, r *rig) {
		r.writeCold(ctx, event("A", 1))
		crashes := r.crashLoop()
		l := r.onlyLetter(ctx)
		if crashes != 6 || l.Attempts != 3 || !driver.MaybeDelivered(l.Failures) {
			t.Errorf("%d crashes, %d attempts, history %+v: want three crashes among others and three alone", crashes, l.Attempts, l.Failures)
		}
	})
}
