//go:build !race

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

// A statement takes as long as one of a database: some time for itself, and more
// for each lane that it names and each row.
const (
	perStatement = time.Millisecond
	perLane      = 100 * time.Microsecond
	perRow       = 20 * time.Microsecond
)

// timed is a store whose statements take their time.
func timed(s driver.Store) *wrapped {
	spend := func(lanes, rows int) {
		<-time.After(perStatement + time.Duration(lanes)*perLane + time.Duration(rows)*perRow)
	}
	return &wrapped{
		Store: s,
		claim: func(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
			rows, err := s.Claim(ctx, req)
			spend(len(req.Wants), len(rows))
			return rows, err
		},
		renew: func(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Renewal) ([]driver.Held, error) {
			spend(0, len(rows))
			return s.Renew(ctx, owner, lease, rows)
		},
		settle: func(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) ([]driver.Held, error) {
			spend(0, len(outcomes))
			return s.Settle(ctx, owner, outcomes, keep)
		},
	}
}

// drain is how long a relay takes to deliver events of so many types. Time is fake,
// so that it depends on what the relay does and not on the machine.
func drain(t *testing.T, types, events int) (took time.Duration) {
	t.Helper()
	cfg := relay.Config{}
	name := func(i int) string { return fmt.Sprintf("type-%04d", i) }
	bubble(t, cfg, func(r *rig) {
		for i := range types {
			r.reg.Handle(name(i), func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
		}
	}, func(ctx context.Context, r *rig) {
		r.over(timed(r.store), cfg)
		for i := range types {
			r.writeCold(ctx, numbered(name(i), 0, events/types)...)
		}
		start := time.Now()
		r.run()
		for r.left(ctx) > 0 && time.Since(start) < time.Hour {
			pass(10 * time.Millisecond)
		}
		took = time.Since(start)
		if n := len(r.seen.order()); n != events {
			t.Errorf("%d types: %d runs of %d events", types, n, events)
		}
	})
	return took
}

func TestADrainOf2000TypesTakesAtMostTwiceThatOfOne(t *testing.T) {
	const types, events = 2000, 40_000
	one, many := drain(t, 1, events), drain(t, types, events)
	t.Logf("%d events of one type take %s, of %d types %s", events, one, types, many)
	if many > 2*one {
		t.Errorf("%d events of %d types take %s, expected at most twice the %s of one type", events, types, many, one)
	}
}
