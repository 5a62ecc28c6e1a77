package relay_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay"
)

// The poller has to find again what a stop gave back, and a hot event needs no poller.
func TestAfterAStopAnEventDoesNotOvertakeOneThatTheStopGaveBack(t *testing.T) {
	cfg := relay.Config{DrainTimeout: time.Second, Lane: relay.LaneConfig{Workers: 1, Interval: time.Second}}
	stopped := false
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("A", func(ctx context.Context, e outbox.Event) error {
			if e.ID == "A-00000" && !stopped {
				<-ctx.Done()
				return ctx.Err()
			}
			r.seen.note(e)
			return nil
		})
		r.reg.Handle("B", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
	}, func(ctx context.Context, r *rig) {
		s := &wrapped{Store: r.store}
		s.claim = func(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
			<-time.After(20 * time.Millisecond)
			return r.store.Claim(ctx, req)
		}
		r.over(s, cfg)
		r.run()
		r.write(ctx, event("A", 0))
		settled()
		r.write(ctx, ofAggregate("o", event("A", 1))...) // waits for the worker
		settled()
		r.stop()
		stopped = true
		r.run()
		r.write(ctx, ofAggregate("o", event("B", 2))...)
		pass(20 * time.Second)
		if got := r.seen.order(); !slices.Equal(got, []string{"A-00000", "A-00001", "B-00002"}) {
			t.Errorf("delivered %v", got)
		}
	})
}

// What a stop gives back stays before what is written after the start.
func TestOrderHoldsAcrossAStopAndAStart(t *testing.T) {
	for name, rest := range map[string]time.Duration{"at once": 0, "a second later": time.Second, "six seconds later": 6 * time.Second} {
		t.Run(name, func(t *testing.T) {
			cfg := relay.Config{Lane: relay.LaneConfig{Interval: time.Second, Workers: 1}}
			bubble(t, cfg, func(r *rig) {
				r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
					r.seen.note(e)
					<-time.After(900 * time.Millisecond)
					return nil
				})
			}, func(ctx context.Context, r *rig) {
				all := ofAggregate("o", events("A", 15)...)
				r.run()
				r.write(ctx, all[:12]...)
				settled()
				r.stop()
				if n := len(r.seen.order()); n == 0 || n == 12 {
					r.t.Fatalf("%d of 12 ran before the stop", n)
				}
				pass(rest)
				r.run()
				r.write(ctx, all[12:]...)
				pass(2 * time.Minute)
				var want []string
				for _, e := range all {
					want = append(want, e.ID)
				}
				if got := r.seen.order(); !slices.Equal(got, want) {
					t.Errorf("delivered %v", got)
				}
			})
		})
	}
}
