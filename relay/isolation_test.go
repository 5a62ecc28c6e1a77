package relay_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/outboxtest"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/retry"
)

// Laws 7 and 8: what one lane keeps in memory is bounded, and leaves room for
// the others.
func TestALaneFullOfLargePayloadsDoesNotKeepOthersFromTheirs(t *testing.T) {
	bubble(t, relay.Config{MaxBytes: 8 << 20, Lane: relay.LaneConfig{Interval: time.Second}}, func(r *rig) {
		r.reg.Handle("large", func(context.Context, outbox.Event) error { <-r.gate; return nil })
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
	}, func(ctx context.Context, r *rig) {
		big := []byte(`"` + strings.Repeat("x", outbox.MaxPayload-2) + `"`)
		for i := range 40 {
			r.writeCold(ctx, outbox.Event{Type: "large", ID: fmt.Sprint("large-", i), JSON: big})
		}
		r.run()
		pass(5 * time.Second)
		held := r.stats(ctx).Held.N
		if held < 2 || held > 8 {
			t.Errorf("%d MiB are held; the bound is 8, half of it for one lane", held)
		}
		r.writeCold(ctx, events("A", 30)...)
		r.write(ctx, events("A", 60)[30:]...)
		pass(2 * time.Second)
		if n := len(r.seen.order()); n != 60 {
			t.Errorf("%d of 60 events of the other lane were delivered", n)
		}
		close(r.gate)
		pass(10 * time.Second)
		r.wantStats(ctx, 0, 0, 100, 0)
	})
}

// Scenario 25: the time of a retry is the policy's, not the poller's.
func TestARetryComesWhenItIsDueAndNotAtTheNextInterval(t *testing.T) {
	var at []time.Duration
	bubble(t, relay.Config{Lane: relay.LaneConfig{Interval: time.Hour, Retry: retry.Fixed(300 * time.Millisecond)}}, func(r *rig) {
		start := time.Now()
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			at = append(at, time.Since(start))
			if r.seen.note(e) < 4 {
				return errBoom
			}
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.write(ctx, event("A", 1))
		pass(3 * time.Second)
		if len(at) != 4 || at[3] > 1200*time.Millisecond {
			t.Errorf("attempts at %v", at)
		}
		e := event("A", 2)
		e.DeliverAfter = 2 * time.Second
		r.write(ctx, e)
		pass(2500 * time.Millisecond)
		if r.seen.times("A-00002") == 0 {
			t.Error("a delayed event of this process waits for the interval")
		}
	})
}

func TestAnOpenBreakerStopsTheClaimsOfTypedListenersToo(t *testing.T) {
	bubble(t, relay.Config{}, func(r *rig) {
		r.reg.HandleAggregate("Order", "A", func(context.Context, outbox.Event) error { return outbox.Unavailable(errBoom) })
	}, func(ctx context.Context, r *rig) {
		f := r.flaky(everySecond)
		es := events("A", 200)
		for i := range es {
			es[i].AggregateType = "Order"
		}
		r.writeCold(ctx, es...)
		r.run()
		pass(time.Minute)
		if n := f.Calls(outboxtest.OpClaim); n > 40 {
			t.Errorf("%d claims in a minute of a destination that is down", n)
		}
		r.stop()
		r.wantStats(ctx, 200, 0, 0, 0)
	})
}

// Scenario 19.
func TestARowThatCannotBeReadIsDeadWithTheReasonAndTheOthersGoOn(t *testing.T) {
	bubble(t, relay.Config{}, recordA, func(ctx context.Context, r *rig) {
		rel, err := relay.New(unreadable{r.store}, r.reg, relay.Config{Logger: quietLog()})
		if err != nil {
			t.Fatal(err)
		}
		r.relay = rel
		r.writeCold(ctx, events("A", 10)...)
		if _, err := rel.RunOnce(ctx); err != nil {
			t.Fatal(err)
		}
		ls := r.letters(ctx)
		if len(ls) != 1 || ls[0].EventID != "A-00003" || ls[0].Attempts != 0 || ls[0].Error != "unreadable: headers are torn" {
			t.Errorf("dead letters %+v", ls)
		}
		if n := len(r.seen.order()); n != 9 {
			t.Errorf("%d of 9 others were delivered", n)
		}
	})
}

// unreadable finds one row torn.
type unreadable struct{ driver.Store }

func (s unreadable) Claim(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
	rows, err := s.Store.Claim(ctx, req)
	for i := range rows {
		if rows[i].EventID == "A-00003" {
			rows[i].Problem = errors.New("headers are torn")
		}
	}
	return rows, err
}

// A listener that outlives the shutdown of its relay, which is then run again.
func TestAnEventDoesNotRunBesideItselfInTheNextRun(t *testing.T) {
	var atOnce, most atomic.Int64
	bubble(t, relay.Config{Lane: relay.LaneConfig{Interval: time.Second}}, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			most.Store(max(most.Load(), atOnce.Add(1)))
			defer atOnce.Add(-1)
			if r.seen.note(e) == 1 {
				<-r.gate
			}
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.stays = true
		r.run()
		r.write(ctx, event("A", 1))
		settled()
		r.stop()
		r.run()
		pass(time.Minute)
		close(r.gate)
		pass(time.Minute)
		if most.Load() != 1 || r.seen.times("A-00001") != 2 {
			t.Errorf("%d at once, %d runs", most.Load(), r.seen.times("A-00001"))
		}
		r.wantStats(ctx, 0, 0, 1, 0)
	})
}

func TestRetentionDeletesWhatIsOldAndKeepsTheRest(t *testing.T) {
	for _, c := range []struct {
		name      string
		delivered relay.Delivered
		done      int64
	}{
		{"an hour", relay.KeepForRetention, 5},
		{"at settle", relay.DeleteAtSettle, 0},
		{"for ever", relay.KeepForever, 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, relay.Config{Delivered: c.delivered, Retention: time.Hour, SweepBatch: 2}, recordA, func(ctx context.Context, r *rig) {
				r.run()
				r.write(ctx, events("A", 5)...)
				pass(50 * time.Minute)
				r.write(ctx, events("A", 10)[5:]...)
				pass(20 * time.Minute)
				r.wantStats(ctx, 0, 0, c.done, 0)
			})
		})
	}
}
