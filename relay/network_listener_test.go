package relay_test

import (
	"context"
	"errors"
	"net"
	"os"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/retry"
)

var errDialRefused = &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}

func TestAListenerWhoseServerIsDownForAnHourSpendsNoAttempt(t *testing.T) {
	var down atomic.Bool
	down.Store(true)
	bubble(t, everySecond, func(r *rig) {
		r.reg.Handle("A", func(ctx context.Context, e outbox.Event) error {
			if down.Load() {
				return errDialRefused
			}
			if d, _ := outbox.DeliveryFrom(ctx); d.Attempt != 1 {
				t.Errorf("%s: attempt %d", e.ID, d.Attempt)
			}
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.write(ctx, events("A", 20)...)
		pass(time.Hour)
		r.wantStats(ctx, 20, 0, 0, 0)
		down.Store(false)
		pass(time.Minute)
		r.wantStats(ctx, 0, 0, 20, 0)
	})
}

func TestErrorsOfTheNetworkCountWhereThatIsSaid(t *testing.T) {
	cfg := relay.Config{
		Lane:  relay.LaneConfig{Interval: time.Second, MaxAttempts: 3, Retry: retry.Fixed(0), NetworkErrors: relay.NetworkCounts},
		Lanes: map[string]relay.LaneConfig{"B": {NetworkErrors: relay.NetworkIsOutage}},
	}
	bubble(t, cfg, func(r *rig) {
		refuse := func(context.Context, outbox.Event) error { return errDialRefused }
		r.reg.Handle("A", refuse)
		r.reg.Handle("B", refuse)
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.write(ctx, event("A", 1), event("B", 1))
		pass(time.Minute)
		r.wantStats(ctx, 1, 0, 0, 1)
		if ls := r.letters(ctx); ls[0].EventID != "A-00001" || ls[0].Attempts != 3 {
			t.Errorf("dead letters %+v", ls)
		}
	})
}

func TestWhatAListenerSaysGoesBeforeWhatItsErrorLooksLike(t *testing.T) {
	for name, c := range map[string]struct {
		err      error
		attempts int
	}{
		"permanent":            {outbox.Permanent(errDialRefused), 1},
		"with a time to retry": {errors.Join(errDialRefused, outbox.RetryAfter(time.Second)), 3},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, relay.Config{Lane: relay.LaneConfig{Interval: time.Second, MaxAttempts: 3}}, func(r *rig) {
				r.reg.Handle("A", func(context.Context, outbox.Event) error { return c.err })
			}, func(ctx context.Context, r *rig) {
				r.run()
				r.write(ctx, event("A", 1))
				pass(time.Minute)
				if ls := r.letters(ctx); len(ls) != 1 || ls[0].Attempts != c.attempts {
					t.Errorf("dead letters %+v", ls)
				}
			})
		})
	}
}

func TestTheDeadlineOfARunIsAListenersFailureWhateverItsErrorIs(t *testing.T) {
	cfg := relay.Config{Lane: relay.LaneConfig{Interval: time.Second, Timeout: time.Second, MaxAttempts: 2, Retry: retry.Fixed(0)}}
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("A", func(ctx context.Context, _ outbox.Event) error {
			<-ctx.Done()
			return &net.OpError{Op: "read", Net: "tcp", Err: os.ErrDeadlineExceeded}
		})
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.write(ctx, event("A", 1))
		pass(time.Minute)
		r.wantStats(ctx, 0, 0, 0, 1)
	})
}

func TestAnErrorOfTheNetworkThatIsOneEventsOwnCountsInTheEnd(t *testing.T) {
	bubble(t, relay.Config{Lane: relay.LaneConfig{Interval: time.Second, MaxAttempts: 3}}, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			if e.ID == "A-00003" { // goes to a host that nobody knows
				return &net.DNSError{Err: "no such host", Name: "shop.invalid", IsNotFound: true}
			}
			r.seen.note(e)
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.run()
		for i := range 300 {
			r.writeCold(ctx, event("A", i))
			pass(2 * time.Second)
		}
		pass(time.Minute)
		r.wantStats(ctx, 0, 0, 299, 1)
		if ls := r.letters(ctx); len(ls) != 1 || ls[0].EventID != "A-00003" {
			t.Errorf("dead letters %+v", ls)
		}
	})
}

func TestAListenerThatSaysUnavailableIsBelievedWhateverItsErrorIs(t *testing.T) {
	for name, err := range map[string]error{"of its own": errBoom, "of the network": errDialRefused} {
		t.Run(name, func(t *testing.T) {
			bubble(t, relay.Config{Lane: relay.LaneConfig{Interval: time.Second, MaxAttempts: 3}}, func(r *rig) {
				r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
					if e.ID == "A-00003" {
						return outbox.Unavailable(err)
					}
					return nil
				})
			}, func(ctx context.Context, r *rig) {
				r.run()
				for i := range 300 {
					r.writeCold(ctx, event("A", i))
					pass(2 * time.Second)
				}
				pass(time.Minute)
				r.wantStats(ctx, 1, 0, 299, 0)
			})
		})
	}
}

func TestAnEventThatFailsByDefaultIsTriedThroughANight(t *testing.T) {
	var first, last time.Time
	bubble(t, relay.Config{}, func(r *rig) {
		r.reg.Handle("A", func(context.Context, outbox.Event) error {
			if last = time.Now(); first.IsZero() {
				first = last
			}
			return errBoom
		})
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.write(ctx, event("A", 1))
		within(24*time.Hour, func() bool { return len(r.letters(ctx)) > 0 })
		ls := r.letters(ctx)
		if len(ls) != 1 || ls[0].Attempts != 25 || last.Sub(first) < 8*time.Hour || last.Sub(first) > 16*time.Hour {
			t.Errorf("tried for %s: %+v", last.Sub(first), ls)
		}
	})
}

func TestTheSpecificationsRetriesAreASetting(t *testing.T) {
	var first, last time.Time
	bubble(t, relay.Config{Lane: relay.LaneConfig{MaxAttempts: 10, Retry: retry.Exponential{}}}, func(r *rig) {
		r.reg.Handle("A", func(context.Context, outbox.Event) error {
			if last = time.Now(); first.IsZero() {
				first = last
			}
			return errBoom
		})
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.write(ctx, event("A", 1))
		pass(time.Hour)
		if ls := r.letters(ctx); len(ls) != 1 || ls[0].Attempts != 10 || last.Sub(first) > 3*time.Minute {
			t.Errorf("tried for %s: %+v", last.Sub(first), ls)
		}
	})
}
