//go:build !race

package relay_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/relay"
)

func TestATenantDoesNotWaitForTheBacklogOfAnother(t *testing.T) {
	for _, fair := range []bool{true, false} {
		t.Run(fmt.Sprint("fair ", fair), func(t *testing.T) {
			w := newWaits()
			bubble(t, relay.Config{Lane: fairLane(fair)}, func(r *rig) {
				r.reg.Handle("A", w.handle(20*time.Millisecond)) // 200 a second
			}, func(ctx context.Context, r *rig) {
				r.writeCold(ctx, w.tenant("big", 0, 6000)...)
				r.run()
				for i := range 20 {
					pass(time.Second)
					r.writeCold(ctx, w.tenant("small", i, i+1)...)
				}
				pass(time.Second)
				n, longest := w.of("small")
				big, _ := w.of("big")
				if fair && (n != 20 || longest > 300*time.Millisecond) {
					t.Errorf("%d of 20 events were delivered, the slowest after %s", n, longest)
				}
				if !fair && n > 0 {
					t.Errorf("%d events passed the backlog without the setting", n)
				}
				if big < 4000 {
					t.Errorf("the big tenant had %d events delivered in 21 s at 200 a second", big)
				}
			})
		})
	}
}

// One tenant's events fill the relay's memory and the hot queue.
func TestAHotQueueFullOfOneTenantDoesNotDelayAnother(t *testing.T) {
	for _, fair := range []bool{true, false} {
		t.Run(fmt.Sprint("fair ", fair), func(t *testing.T) {
			w := newWaits()
			lane := fairLane(fair)
			lane.NoHotPath, lane.HotQueue, lane.ColdQueue = false, 500, 500
			bubble(t, relay.Config{Lane: lane}, func(r *rig) { r.reg.Handle("A", w.handle(20*time.Millisecond)) }, func(ctx context.Context, r *rig) {
				r.run()
				for from := 0; from < 3000; from += 100 {
					r.write(ctx, w.tenant("big", from, from+100)...)
				}
				for i := range 5 {
					pass(200 * time.Millisecond)
					r.write(ctx, w.tenant("small", i, i+1)...)
				}
				pass(700 * time.Millisecond)
				n, longest := w.of("small")
				if fair && (n != 5 || longest > 500*time.Millisecond) {
					t.Errorf("%d of 5 events were delivered, the slowest after %s", n, longest)
				}
				if !fair && n > 0 {
					t.Errorf("%d events passed the others without the setting", n)
				}
			})
		})
	}
}

func TestManyTenantsAreServedInTurn(t *testing.T) {
	const tenants = 300 // several pages
	w := newWaits()
	bubble(t, relay.Config{Lane: fairLane(true)}, func(r *rig) { r.reg.Handle("A", w.handle(time.Millisecond)) }, func(ctx context.Context, r *rig) {
		r.writeCold(ctx, w.tenant("m-big", 0, 5000)...)
		for i := range tenants {
			r.writeCold(ctx, w.tenant(fmt.Sprintf("t%03d", i), 0, 2)...)
		}
		r.writeCold(ctx, w.tenant("", 0, 2)...)
		r.run()
		pass(20 * time.Second)
		big := 0
		for _, name := range w.order[:2*len(w.order)/5] {
			if name == "m-big" {
				big++
			}
		}
		if small := 2*len(w.order)/5 - big; len(w.order) != 5000+2*tenants+2 || small != 2*tenants+2 {
			t.Errorf("of %d events, %d of the small tenants were among the first two fifths, of %d", len(w.order), small, 2*tenants+2)
		}
	})
}

func TestTenantsWhoseEventsAreNotDueKeepNobodyWaiting(t *testing.T) {
	w := newWaits()
	bubble(t, relay.Config{Lane: fairLane(true)}, func(r *rig) { r.reg.Handle("A", w.handle(time.Millisecond)) }, func(ctx context.Context, r *rig) {
		for i := range 200 {
			later := w.tenant(fmt.Sprintf("a%03d", i), 0, 1)
			later[0].DeliverAfter = time.Hour
			r.writeCold(ctx, later...)
		}
		r.writeCold(ctx, w.tenant("big", 0, 3000)...)
		r.writeCold(ctx, w.tenant("z", 0, 3)...)
		r.run()
		pass(5 * time.Second)
		if n, longest := w.of("z"); n != 3 || longest > 300*time.Millisecond {
			t.Errorf("%d of 3 events were delivered, the slowest after %s", n, longest)
		}
		if n, _ := w.of("big"); n != 3000 {
			t.Errorf("%d of 3000 events of the big tenant were delivered", n)
		}
		pass(time.Hour)
		r.wantStats(ctx, 0, 0, 3203, 0)
	})
}

// The price of the setting for a tenant that is alone.
func TestATenantThatIsAloneGetsTheWholeLane(t *testing.T) {
	claims := map[bool]int{}
	for _, fair := range []bool{true, false} {
		w := newWaits()
		bubble(t, relay.Config{Lane: fairLane(fair), Hooks: observe.Hooks{Claimed: func(i observe.StatementInfo) {
			if i.Rows > 0 {
				claims[fair]++
			}
		}}}, func(r *rig) { r.reg.Handle("A", w.handle(0)) }, func(ctx context.Context, r *rig) {
			r.writeCold(ctx, w.tenant("big", 0, 5000)...)
			r.run()
			pass(2 * time.Second)
			r.wantStats(ctx, 0, 0, 5000, 0)
		})
	}
	if claims[true] > claims[false]+10 {
		t.Errorf("%d claims with the setting, %d without", claims[true], claims[false])
	}
}

func TestAnAggregateKeepsItsOrderInAFairLane(t *testing.T) {
	w := newWaits()
	bubble(t, relay.Config{Lane: fairLane(true)}, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
	}, func(ctx context.Context, r *rig) {
		for from := 0; from < 1000; from += 10 {
			for _, name := range []string{"a", "b"} {
				es := w.tenant(name, from, from+10)
				for i := range es {
					es[i].AggregateID = fmt.Sprint(name, i%3)
				}
				r.writeCold(ctx, es...)
			}
			r.writeCold(ctx, w.tenant("big", from*2, from*2+20)...)
		}
		r.run()
		pass(5 * time.Second)
		last := map[string]string{}
		for _, id := range r.seen.order() {
			name, number, _ := strings.Cut(id, "-")
			if key := name + number[4:]; name != "big" && id < last[key] {
				t.Fatalf("%s ran after %s", id, last[key])
			} else {
				last[key] = id
			}
		}
		r.wantStats(ctx, 0, 0, 4000, 0)
	})
}

func TestAFairLaneNeedsAStoreThatIsPrepared(t *testing.T) {
	reg := outbox.NewRegistry()
	reg.Handle("A", func(context.Context, outbox.Event) error { return nil })
	bubble(t, relay.Config{}, func(*rig) {}, func(ctx context.Context, r *rig) {
		cfg := relay.Config{Logger: quietLog(), Lanes: map[string]relay.LaneConfig{"A": {FairByTenant: true}}}
		if _, err := relay.New(struct{ driver.Store }{r.store}, reg, cfg); err == nil || !strings.Contains(err.Error(), "driver.FairStore") {
			t.Errorf("a store that cannot claim by tenant: %v", err)
		}
		rel, err := relay.New(unprepared{r.store, r.store}, reg, cfg)
		if err != nil {
			t.Fatal(err)
		}
		if err := rel.Run(ctx); !errors.Is(err, outbox.ErrSchema) || !strings.Contains(err.Error(), "this and that") {
			t.Errorf("Run: %v, expected what is missing and what to do", err)
		}
	})
}

func TestALaneThatLaneForMakesFairIsDeliveredAnyway(t *testing.T) {
	var log strings.Builder
	w := newWaits()
	bubble(t, relay.Config{}, func(r *rig) { r.reg.Handle("A", w.handle(0)) }, func(ctx context.Context, r *rig) {
		cfg := relay.Config{
			Logger:  slog.New(slog.NewTextHandler(&log, nil)),
			LaneFor: func(string) relay.LaneConfig { return fairLane(true) },
		}
		rel, err := relay.New(unprepared{r.store, r.store}, r.reg, cfg)
		if err != nil {
			t.Fatal(err)
		}
		r.relay = rel
		r.writeCold(ctx, w.tenant("big", 0, 500)...)
		r.run()
		pass(2 * time.Second)
		r.wantStats(ctx, 0, 0, 500, 0)
		r.stop()
		if n := strings.Count(log.String(), "this and that"); n != 1 {
			t.Errorf("the log says %d times what to do:\n%s", n, log.String())
		}
	})
}
