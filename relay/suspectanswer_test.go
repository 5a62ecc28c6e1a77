package relay_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
)

// deafUncount does not answer when an attempt is taken back.
type deafUncount struct{ outbox.Store }

func (s deafUncount) Renew(ctx context.Context, owner outbox.Owner, lease time.Duration, rows []outbox.Renewal) ([]outbox.Held, error) {
	for _, r := range rows {
		if r.Attempts == outbox.NoAttempts {
			<-ctx.Done()
			return nil, fmt.Errorf("%w: hung", outbox.ErrStoreDown)
		}
	}
	return s.Store.Renew(ctx, owner, lease, rows)
}

func TestADeliveredSuspectIsDoneAlthoughItsRenewalHangs(t *testing.T) {
	cfg := relay.Config{Lane: relay.LaneConfig{Interval: time.Second, Timeout: 2 * time.Second, MaxAttempts: 1}}
	bubble(t, cfg, recordA, func(ctx context.Context, r *rig) {
		r.writeCold(ctx, event("A", 1))
		for range 3 {
			if _, err := r.store.Claim(ctx, outbox.ClaimRequest{Owner: outbox.NewOwner("gone"), Lease: time.Second, Wants: []outbox.Want{{Lane: "A", Rows: 1}}}); err != nil {
				t.Fatal(err)
			}
			pass(2 * time.Second)
		}
		r.over(deafUncount{r.store}, cfg)
		r.run()
		pass(time.Minute)
		r.wantStats(ctx, 0, 0, 1, 0)
	})
}

// lateUncount answers a little after its context has ended.
type lateUncount struct{ outbox.Store }

func (s lateUncount) Renew(ctx context.Context, owner outbox.Owner, lease time.Duration, rows []outbox.Renewal) ([]outbox.Held, error) {
	for _, r := range rows {
		if r.Attempts == outbox.NoAttempts {
			<-ctx.Done()
			<-time.After(2 * time.Second)
			return nil, fmt.Errorf("%w: hung", outbox.ErrStoreDown)
		}
	}
	return s.Store.Renew(ctx, owner, lease, rows)
}

func TestADeliveredSuspectIsDoneAlthoughItsRenewalIsLate(t *testing.T) {
	cfg := relay.Config{Lane: relay.LaneConfig{Interval: time.Second, Timeout: 5 * time.Minute}}
	bubble(t, cfg, recordA, func(ctx context.Context, r *rig) {
		r.writeCold(ctx, event("A", 1))
		for range 3 {
			if _, err := r.store.Claim(ctx, outbox.ClaimRequest{Owner: outbox.NewOwner("gone"), Lease: time.Second, Wants: []outbox.Want{{Lane: "A", Rows: 1}}}); err != nil {
				t.Fatal(err)
			}
			pass(2 * time.Second)
		}
		r.over(lateUncount{r.store}, cfg)
		r.run()
		pass(10 * time.Minute)
		if n := r.seen.times("A-00001"); n != 1 {
			t.Errorf("delivered %d times", n)
		}
		r.wantStats(ctx, 0, 0, 1, 0)
	})
}
