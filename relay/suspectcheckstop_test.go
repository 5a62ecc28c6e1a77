package relay_test

import (
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/outboxtest"
	"github.com/sendoff-go/outbox/relay"
)

// endlessCheck is a sink whose check takes until its context ends.
type endlessCheck struct{ *outboxtest.FlakySink }

func (endlessCheck) Check(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }

// Nothing was delivered, so nothing is still running.
func TestAStopGivesBackASuspectWhoseDestinationIsBeingChecked(t *testing.T) {
	cfg := relay.Config{DrainTimeout: 2 * time.Second, Lane: relay.LaneConfig{Interval: time.Second}}
	bubble(t, cfg, func(r *rig) { r.reg.Route("A", endlessCheck{&outboxtest.FlakySink{}}, outbox.To("a")) }, func(ctx context.Context, r *rig) {
		r.writeCold(ctx, event("A", 1))
		for range 3 {
			if _, err := r.store.Claim(ctx, driver.ClaimRequest{Owner: driver.NewOwner("gone"), Lease: time.Second, Wants: []driver.Want{{Lane: "A", Rows: 1}}}); err != nil {
				t.Fatal(err)
			}
			pass(2 * time.Second)
		}
		r.run()
		pass(1500 * time.Millisecond)
		begun := time.Now()
		r.cancel()
		err := <-r.done
		r.cancel = nil
		if took := time.Since(begun); err != nil || took > cfg.DrainTimeout {
			t.Errorf("Run ended after %s with %v", took, err)
		}
		if n := r.stats(ctx).Held.N; n != 0 {
			t.Errorf("%d events are still held", n)
		}
	})
}
