package relay_test

import (
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay"
)

// diesWith makes relays die while they try the only event of type A, twice each.
func (r *rig) diesWith(ctx context.Context, times int) {
	r.t.Helper()
	for range times {
		gone := driver.NewOwner("gone")
		got, err := r.store.Claim(ctx, driver.ClaimRequest{Owner: gone, Lease: time.Second, Wants: []driver.Want{{Lane: "A", Rows: 1}}})
		if err != nil || len(got) != 1 {
			r.t.Fatal(got, err)
		}
		if _, err := r.store.Renew(ctx, gone, time.Second, []driver.Renewal{{Held: got[0].Held, Attempts: 2}}); err != nil {
			r.t.Fatal(err)
		}
		pass(2 * time.Second)
	}
}

// Its attempts must be in its history before it may run alone, which is not a try.
func TestARoundDeliversASuspectWhoseAttemptsAreInNoHistory(t *testing.T) {
	bubble(t, everySecond, recordA, func(ctx context.Context, r *rig) {
		r.writeCold(ctx, event("A", 1))
		r.diesWith(ctx, 3)
		if rep, err := r.relay.RunOnce(ctx); err != nil || rep != (relay.Report{Delivered: 1}) {
			t.Errorf("%+v, %v", rep, err)
		}
	})
}
