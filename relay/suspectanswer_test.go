package relay_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay"
)

// deafUncount does not answer when an attempt is taken back, not even for a
// while after its context has ended.
type deafUncount struct {
	driver.Store
	late time.Duration
}

func (s deafUncount) Renew(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Renewal) ([]driver.Held, error) {
	for _, r := range rows {
		if r.Attempts == driver.NoAttempts {
			<-ctx.Done()
			<-time.After(s.late)
			return nil, fmt.Errorf("%w: hung", outbox.ErrStoreDown)
		}
	}
	return s.Store.Renew(ctx, owner, lease, rows)
}

func TestADeliveredSuspectIsDoneAlthoughItsRenewalHangs(t *testing.T) {
	for name, c := range map[string]struct{ timeout, late time.Duration }{
		"the renewal outlasts the deadline": {2 * time.Second, 0},
		"the deadline is far away":          {5 * time.Minute, 2 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := relay.Config{Lane: relay.LaneConfig{Interval: time.Second, Timeout: c.timeout, MaxAttempts: 1}}
			bubble(t, cfg, recordA, func(ctx context.Context, r *rig) {
				r.writeCold(ctx, event("A", 1))
				for range 3 {
					if _, err := r.store.Claim(ctx, driver.ClaimRequest{Owner: driver.NewOwner("gone"), Lease: time.Second, Wants: []driver.Want{{Lane: "A", Rows: 1}}}); err != nil {
						t.Fatal(err)
					}
					pass(2 * time.Second)
				}
				r.over(deafUncount{r.store, c.late}, cfg)
				r.run()
				pass(10 * time.Minute)
				if n := r.seen.times("A-00001"); n != 1 {
					t.Errorf("delivered %d times", n)
				}
				r.wantStats(ctx, 0, 0, 1, 0)
			})
		})
	}
}
