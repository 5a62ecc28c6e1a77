package relay_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/relay"
)

// slowClaims takes a little time for each claim, so that many of them show.
type slowClaims struct{ driver.Store }

func (s slowClaims) Claim(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
	<-time.After(5 * time.Millisecond)
	return s.Store.Claim(ctx, req)
}

func TestAHalfOpenDestinationDoesNotThrottleTheOthersOfItsType(t *testing.T) {
	var claims, rows atomic.Int64
	cfg := relay.Config{Lane: relay.LaneConfig{Interval: time.Second}, Hooks: observe.Hooks{Claimed: func(s observe.StatementInfo) {
		claims.Add(1)
		rows.Add(int64(s.Rows))
	}}}
	bubble(t, cfg, func(r *rig) {
		r.reg.HandleAggregate("X", "A", func(_ context.Context, e outbox.Event) error {
			return errors.Join(outbox.Unavailable(errBoom), outbox.RetryAfter(time.Hour))
		})
		r.reg.HandleAggregate("Y", "A", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
	}, func(ctx context.Context, r *rig) {
		r.over(slowClaims{r.store}, cfg)
		x := event("A", 1)
		x.AggregateType = "X"
		r.writeCold(ctx, x)
		r.run()
		pass(5 * time.Minute) // half open for long
		es := events("A", 2001)[1:]
		for i := range es {
			es[i].ID, es[i].AggregateType = "y"+es[i].ID, "Y"
		}
		claims.Store(0)
		rows.Store(0)
		r.writeCold(ctx, es...)
		start := time.Now()
		for len(r.seen.order()) < 2000 && time.Since(start) < time.Hour {
			pass(100 * time.Millisecond)
		}
		if claims.Load() > 200 {
			t.Errorf("%d claims for %d rows of a destination that is well, %s", claims.Load(), rows.Load(), time.Since(start))
		}
	})
}

// One of its events waits for another one of its key, and is no trial.
func TestATrialDoesNotWaitBehindARunOfAnotherType(t *testing.T) {
	cfg := relay.Config{Lane: relay.LaneConfig{Interval: time.Second, Timeout: 2 * time.Hour, Workers: 1}}
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("A", func(context.Context, outbox.Event) error { <-r.gate; return nil })
		r.reg.Handle("B", func(_ context.Context, e outbox.Event) error {
			if r.seen.note(e) == 1 && e.ID == "B-00002" {
				return outbox.Unavailable(errBoom)
			}
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.write(ctx, ofAggregate("o", event("A", 1))...)
		r.writeCold(ctx, ofAggregate("o", event("B", 1))...)
		pass(2 * time.Second)
		r.writeCold(ctx, events("B", 12)[2:]...)
		pass(10 * time.Minute)
		if n := len(r.seen.order()); n < 11 {
			t.Errorf("%d runs of B in ten minutes (%v), although it was down for a moment alone", n, r.seen.order())
		}
		close(r.gate)
	})
}

// Its trial hangs.
func TestRowsOfAHalfOpenDestinationAreNotClaimedOverAndOver(t *testing.T) {
	var claims, rows atomic.Int64
	cfg := relay.Config{Lane: relay.LaneConfig{Interval: time.Second, Timeout: 10 * time.Minute}, Hooks: observe.Hooks{Claimed: func(s observe.StatementInfo) {
		claims.Add(1)
		rows.Add(int64(s.Rows))
	}}}
	var calls atomic.Int64
	bubble(t, cfg, func(r *rig) {
		r.reg.HandleAggregate("X", "A", func(ctx context.Context, e outbox.Event) error {
			if calls.Add(1) <= 5 {
				return outbox.Unavailable(errBoom)
			}
			select {
			case <-r.gate:
			case <-ctx.Done():
			}
			return nil
		})
		r.reg.HandleAggregate("Y", "A", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
	}, func(ctx context.Context, r *rig) {
		r.over(slowClaims{r.store}, cfg)
		es := events("A", 1000)
		for i := range es {
			es[i].AggregateType = "X"
		}
		y := event("A", 5000)
		y.AggregateType = "Y"
		r.writeCold(ctx, es...)
		r.writeCold(ctx, y)
		r.run()
		pass(10 * time.Second)
		claims.Store(0)
		rows.Store(0)
		pass(time.Minute)
		if n := rows.Load(); n > 10000 {
			t.Errorf("%d claims of %d rows in a minute in which nothing was delivered, of 1000", claims.Load(), n)
		}
		close(r.gate)
	})
}
