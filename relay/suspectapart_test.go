package relay_test

import (
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// The table of dead letters is locked, and an event of type A dies each second: what
// waits behind the others is never sent.
func TestASuspectDoesNotWaitForAnotherWhoseOutcomeWaitsApart(t *testing.T) {
	bubble(t, everySecond, deadAndGood, func(ctx context.Context, r *rig) {
		r.writeCold(ctx, event("A", 90_001))
		r.writeCold(ctx, event("B", 90_001))
		for _, lease := range []time.Duration{time.Second, time.Second, time.Minute} {
			got, err := r.store.Claim(ctx, driver.ClaimRequest{
				Owner: driver.NewOwner("gone"), Lease: lease, Wants: []driver.Want{{Lane: "A", Rows: 1}, {Lane: "B", Rows: 1}},
			})
			if err != nil || len(got) != 2 {
				t.Fatal(got, err)
			}
			if lease == time.Second {
				pass(2 * time.Second)
			}
		}
		r.over(r.failingFor(driver.Dead, context.DeadlineExceeded, 5*time.Second), everySecond)
		r.run()
		for i := range 120 {
			r.write(ctx, event("A", i))
			pass(time.Second)
		}
		if n := r.seen.times("B-90001"); n != 1 {
			t.Errorf("the suspect of type B ran %d times", n)
		}
	})
}
