package relay_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/outboxtest"
	"github.com/sendoff-go/outbox/relay"
)

func TestATrialThatOutlivesTheShutdownDoesNotBlockTheNextRun(t *testing.T) {
	bubble(t, everySecond, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			switch n := r.seen.note(e); {
			case e.ID == "A-00001" && n == 1:
				return outbox.Unavailable(errBoom)
			case e.ID == "A-00001":
				<-r.gate
			}
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.stays = true
		r.run()
		r.writeCold(ctx, event("A", 1))
		pass(5 * time.Second)
		if n := r.seen.times("A-00001"); n != 2 {
			t.Fatalf("%d runs, and not one on trial", n)
		}
		r.stop()
		r.run()
		r.writeCold(ctx, event("A", 2))
		pass(5 * time.Second)
		if r.seen.times("A-00002") != 1 {
			t.Error("the other event waits for a run of the relay's former life")
		}
		close(r.gate)
		pass(time.Minute)
		r.wantStats(ctx, 0, 0, 2, 0)
	})
}

// vetoing refuses one event before its destination sees it.
type vetoing struct{ id string }

func (v vetoing) Before(ctx context.Context, e outbox.Event) (context.Context, error) {
	if e.ID == v.id {
		return ctx, outbox.Permanent(errBoom)
	}
	return ctx, nil
}

func TestWhatNeverReachesADestinationDoesNotShowThatItIsBack(t *testing.T) {
	for name, batch := range map[string]int{"one at a time": 1, "in batches": 0} {
		t.Run(name, func(t *testing.T) {
			sinkRig(relay.Config{}, t, func(ctx context.Context, r *rig, s *outboxtest.FlakySink) {
				var away atomic.Bool
				refusing(s, &away)
				var log bytes.Buffer
				cfg := noChance
				cfg.Logger = slog.New(slog.NewTextHandler(&log, nil))
				cfg.Interceptors = []outbox.Interceptor{{Before: vetoing{"A-00005"}.Before}}
				cfg.Lane.DeliverBatch = batch
				rel, err := relay.New(unreadable{r.store}, r.reg, cfg)
				if err != nil {
					t.Fatal(err)
				}
				r.relay = rel
				r.run()
				r.writeCold(ctx, event("A", 1))
				pass(5 * time.Second)
				r.writeCold(ctx, event("A", 3), event("A", 5))
				pass(5 * time.Minute)
				r.stop()
				if strings.Contains(log.String(), "destination is back") {
					t.Error("an event that was not sent passed for an answer")
				}
				r.wantStats(ctx, 1, 0, 0, 2)
			})
		})
	}
}

// slowCheck is a sink whose check takes its time.
type slowCheck struct {
	outboxtest.FlakySink
	took time.Duration
}

func (s *slowCheck) Check(context.Context) error {
	<-time.After(s.took)
	return nil
}

func TestASuspectIsNotGivenUpWhileItsDestinationIsChecked(t *testing.T) {
	for name, took := range map[string]time.Duration{"within its time": 4 * time.Second, "longer than it may": 3 * time.Minute} {
		t.Run(name, func(t *testing.T) {
			s := &slowCheck{took: took}
			cfg := everySecond
			cfg.Lane.Timeout = time.Second
			cfg.Lane.MaxAttempts = 1
			bubble(t, cfg, func(r *rig) { r.reg.Route("A", s) }, func(ctx context.Context, r *rig) {
				r.writeCold(ctx, event("A", 1))
				for range 3 { // whose owners go away
					_, err := r.store.Claim(ctx, driver.ClaimRequest{
						Owner: driver.NewOwner("gone"), Lease: time.Second, Wants: []driver.Want{{Lane: "A", Rows: 1}},
					})
					if err != nil {
						t.Fatal(err)
					}
					pass(2 * time.Second)
				}
				r.run()
				pass(10 * time.Minute)
				if n := len(s.Sent()); n != 1 {
					t.Errorf("sent %d times; dead letters: %+v", n, r.letters(ctx))
				}
				r.wantStats(ctx, 0, 0, 1, 0)
			})
		})
	}
}

// One lane, two destinations.
func TestAListenerThatIsAwayDoesNotKeepThatOfAnotherAggregateBack(t *testing.T) {
	for name, hangs := range map[string]bool{"away": false, "away, and hanging on trial": true} {
		t.Run(name, func(t *testing.T) {
			bubble(t, everySecond, func(r *rig) {
				r.reg.HandleAggregate("Order", "A", func(ctx context.Context, e outbox.Event) error {
					if hangs && r.seen.note(e) > 1 {
						<-ctx.Done()
					}
					return outbox.Unavailable(errBoom)
				})
				r.reg.HandleAggregate("Invoice", "A", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
			}, func(ctx context.Context, r *rig) {
				r.run()
				es := events("A", 120)
				for i := range es {
					es[i].AggregateType = "Invoice"
					if i < 20 {
						es[i].AggregateType = "Order"
					}
				}
				r.writeCold(ctx, es[:20]...)
				pass(3 * time.Second)
				r.writeCold(ctx, es[20:]...)
				pass(5 * time.Second)
				delivered := 0
				for _, e := range es[20:] {
					delivered += r.seen.times(e.ID)
				}
				if delivered != 100 {
					t.Errorf("%d of 100 events of the other aggregate were delivered", delivered)
				}
				r.wantStats(ctx, 20-r.stats(ctx).Held.N, r.stats(ctx).Held.N, 100, 0)
			})
		})
	}
}
