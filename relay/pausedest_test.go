package relay_test

import (
	"context"
	"log/slog"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/outboxtest"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/memstore"
)

// noticed is how long a relay may take to follow a pause or a resume.
const noticed = 2 * time.Second

// setPaused pauses or resumes the destination of a type.
func (r *rig) setPaused(ctx context.Context, aggregate, eventType string, paused bool) {
	r.t.Helper()
	what := driver.PausableDestination(r.reg.Lookup(aggregate, eventType).Name())
	if err := r.store.SetPaused(ctx, what, paused, "ann"); err != nil {
		r.t.Fatal(err)
	}
}

// counting counts the rows that claims return.
type counting struct {
	*memstore.Store
	claims, rows atomic.Int64
}

func (c *counting) Claim(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
	rows, err := c.Store.Claim(ctx, req)
	c.claims.Add(1)
	c.rows.Add(int64(len(rows)))
	return rows, err
}

func TestAPausedDestinationGetsNothingAndIsNotDown(t *testing.T) {
	log := &logged{}
	var told []bool
	cfg := everySecond
	cfg.Logger = slog.New(log)
	cfg.Hooks = observe.Hooks{
		Paused:  func(i observe.PausedInfo) { told = append(told, i.Paused) },
		Breaker: func(i observe.BreakerInfo) { t.Errorf("a pause is reported as an outage: %+v", i) },
		Failed:  func(i observe.FailedInfo) { t.Errorf("a pause is reported as a failure: %+v", i) },
	}
	sinkRig(cfg, t, func(ctx context.Context, r *rig, s *outboxtest.FlakySink) {
		c := &counting{Store: r.store}
		r.over(c, cfg)
		r.run()
		r.setPaused(ctx, "", "A", true)
		pass(noticed)
		r.writeCold(ctx, events("A", 2000)...)
		r.write(ctx, events("A", 2010)[2000:]...)
		pass(time.Hour)
		if n := len(s.Sent()); n != 0 || s.Checks() != 0 || c.rows.Load() != 0 {
			t.Errorf("during the pause: %d sent, %d claimed, %d checks, want none", n, c.rows.Load(), s.Checks())
		}
		r.write(ctx, events("B", 50)...)
		r.writeCold(ctx, events("B", 100)[50:]...)
		pass(noticed)
		if n := len(r.seen.order()); n != 100 {
			t.Errorf("another destination got %d of 100", n)
		}
		r.wantStats(ctx, 2010, 0, 100, 0)
		r.setPaused(ctx, "", "A", false)
		pass(noticed)
		if n := len(s.Sent()); n == 0 {
			t.Errorf("nothing was sent within %s of the resume", noticed)
		}
		pass(10 * time.Second)
		r.wantStats(ctx, 0, 0, 2110, 0)
		if c.rows.Load() > 2110 {
			t.Errorf("%d rows were claimed for 2110 events", c.rows.Load())
		}
	})
	if !slices.Equal(told, []bool{true, false}) {
		t.Errorf("the hook got %v", told)
	}
	if p, u := log.with(slog.LevelInfo, "destination is paused"), log.with(slog.LevelInfo, "destination is resumed"); len(p) != 1 || len(u) != 1 || p[0].attrs["target"] == "" {
		t.Errorf("logged %v and %v", p, u)
	}
	if w := log.with(slog.LevelWarn, ""); len(w) != 0 {
		t.Errorf("warned %v", w)
	}
}

func TestWhatRunsWhenItsDestinationIsPausedIsFinished(t *testing.T) {
	cfg := relay.Config{Lane: relay.LaneConfig{Workers: 1, Interval: time.Hour}, LookInterval: time.Hour} // which the resume must not wait for
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error { <-r.gate; r.seen.note(e); return nil })
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.write(ctx, events("A", 10)...)
		r.setPaused(ctx, "", "A", true)
		pass(noticed)
		r.wantStats(ctx, 9, 1, 0, 0) // one runs, and anybody may claim the others
		close(r.gate)
		pass(time.Minute)
		r.wantStats(ctx, 9, 0, 1, 0)
		r.setPaused(ctx, "", "A", false)
		pass(noticed)
		r.wantStats(ctx, 0, 0, 10, 0)
	})
}

// mixed writes n events of type A for each of two aggregates, which have
// destinations of their own.
func (r *rig) mixed(ctx context.Context, n int) {
	es := events("A", 2*n)
	for i := range es {
		es[i].AggregateType = []string{"Order", "Invoice"}[i%2]
	}
	r.writeCold(ctx, es...)
}

func TestAPausedDestinationDoesNotKeepBackAnotherOfItsType(t *testing.T) {
	for name, n := range map[string]int{"few": 50, "many": 1000} {
		t.Run(name, func(t *testing.T) {
			var orders atomic.Int64
			bubble(t, everySecond, func(r *rig) {
				r.reg.HandleAggregate("Order", "A", func(context.Context, outbox.Event) error { orders.Add(1); return nil })
				r.reg.HandleAggregate("Invoice", "A", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
			}, func(ctx context.Context, r *rig) {
				c := &counting{Store: r.store}
				r.over(c, everySecond)
				r.setPaused(ctx, "Order", "A", true)
				r.run()
				r.mixed(ctx, n)
				pass(10 * time.Second)
				if got := len(r.seen.order()); got != n || orders.Load() != 0 {
					t.Errorf("%d of %d went to the other destination, and %d to the paused one", got, n, orders.Load())
				}
				pass(time.Minute)
				before := c.rows.Load()
				pass(time.Minute)
				if a := (c.rows.Load() - before) / 60; a > max(int64(n)/7, 250) {
					t.Errorf("%d rows a second are claimed while %d wait", a, n)
				}
				late := event("A", 999_999)
				late.AggregateType = "Invoice"
				r.writeCold(ctx, late)
				pass(3 * time.Second)
				if r.seen.times(late.ID) != 1 {
					t.Error("an event for the other destination waits behind those of the paused one")
				}
				r.setPaused(ctx, "Order", "A", false)
				pass(noticed)
				if got := orders.Load(); got == 0 || (n < 100 && got != int64(n)) {
					t.Errorf("%d of %d were delivered within %s of the resume", got, n, noticed)
				}
				pass(20 * time.Second)
				r.wantStats(ctx, 0, 0, int64(2*n+1), 0)
			})
		})
	}
}

func TestADestinationThatIsDownIsNotProbedWhileItIsPaused(t *testing.T) {
	sinkRig(everySecond, t, func(ctx context.Context, r *rig, s *outboxtest.FlakySink) {
		s.SetDown(true)
		r.run()
		r.write(ctx, events("A", 20)...)
		pass(time.Minute)
		r.setPaused(ctx, "", "A", true)
		pass(noticed)
		before := s.Checks()
		if before == 0 {
			t.Fatal("it was not probed before the pause")
		}
		pass(time.Hour)
		if n := s.Checks() - before; n != 0 {
			t.Errorf("%d probes during the pause", n)
		}
		s.SetDown(false)
		r.setPaused(ctx, "", "A", false)
		pass(noticed)
		if n := len(s.Sent()); n != 20 {
			t.Errorf("%d of 20 were sent within %s of the resume", n, noticed)
		}
	})
}

func TestARelayThatStartsDuringAPauseDeliversNothing(t *testing.T) {
	bubble(t, everySecond, func(r *rig) {
		recordA(r)
		r.reg.Handle("B", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
	}, func(ctx context.Context, r *rig) {
		r.setPaused(ctx, "", "A", true)
		if err := r.store.SetPaused(ctx, driver.PausableLane("B"), true, "ann"); err != nil {
			t.Fatal(err)
		}
		r.writeCold(ctx, append(events("A", 20), events("B", 20)...)...)
		for range 3 {
			r.run()
			pass(10 * time.Millisecond)
			r.stop()
		}
		if rep, err := r.relay.RunOnce(ctx); err != nil || rep.Delivered != 0 {
			t.Errorf("a round made %+v, error %v", rep, err)
		}
		if n := len(r.seen.order()); n != 0 {
			t.Errorf("%d were delivered", n)
		}
		r.wantStats(ctx, 40, 0, 0, 0)
	})
}

// The type first appears during the pause, so its lane and its destination are
// new.
func TestADestinationThatAppearsDuringItsPauseIsPaused(t *testing.T) {
	log := &logged{}
	cfg := everySecond
	cfg.Logger = slog.New(log)
	s := &outboxtest.FlakySink{}
	bubble(t, cfg, func(r *rig) { r.reg.Route("order-*", s, outbox.To("orders")) }, func(ctx context.Context, r *rig) {
		r.setPaused(ctx, "", "order-1", true)
		r.run()
		r.write(ctx, events("order-1", 10)...)
		r.writeCold(ctx, events("order-2", 10)...)
		pass(time.Minute)
		if n := len(s.Sent()); n != 0 {
			t.Errorf("%d were sent", n)
		}
		if p := log.with(slog.LevelInfo, "destination is paused"); len(p) != 1 {
			t.Errorf("logged %v", p)
		}
		r.setPaused(ctx, "", "order-1", false)
		pass(noticed)
		if n := len(s.Sent()); n != 20 {
			t.Errorf("%d of 20 were sent within %s of the resume", n, noticed)
		}
	})
}

func TestASuspectWaitsWhileItsDestinationIsPaused(t *testing.T) {
	bubble(t, everySecond, func(r *rig) {
		r.reg.HandleAggregate("Order", "A", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
		r.reg.HandleAggregate("Invoice", "A", func(context.Context, outbox.Event) error { return nil }) // so that the lane is claimed
	}, func(ctx context.Context, r *rig) {
		e := event("A", 1)
		e.AggregateType = "Order"
		r.writeCold(ctx, e)
		for range 3 { // claims whose owners disappear
			if _, err := r.store.Claim(ctx, driver.ClaimRequest{Owner: driver.NewOwner("gone"), Lease: time.Second, Wants: []driver.Want{{Lane: "A", Rows: 1}}}); err != nil {
				t.Fatal(err)
			}
			pass(2 * time.Second)
		}
		s := &noting{Store: r.store}
		r.over(struct {
			*noting
			driver.ControlStore
		}{s, r.store}, everySecond)
		r.setPaused(ctx, "Order", "A", true)
		r.run()
		pass(time.Minute)
		if len(r.seen.order()) != 0 || len(s.attempts) != 0 {
			t.Errorf("%v ran, attempts %v were written", r.seen.order(), s.attempts)
		}
		r.setPaused(ctx, "Order", "A", false)
		pass(noticed)
		r.wantStats(ctx, 0, 0, 1, 0)
	})
}
