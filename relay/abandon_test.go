package relay_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay"
)

// picky is a store that refuses the outcome of one event.
type picky struct {
	driver.Store
	id string
}

func (s picky) Settle(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keepDone bool) ([]driver.Held, error) {
	for _, o := range outcomes {
		if o.EventID == s.id {
			return nil, errors.New("violates a constraint")
		}
	}
	return s.Store.Settle(ctx, owner, outcomes, keepDone)
}

func TestAnAbandonedOutcomeMakesRoomForTheNextRun(t *testing.T) {
	cfg := relay.Config{MaxUnsettled: 1, Lane: relay.LaneConfig{Interval: time.Second, Workers: 1}}
	bubble(t, cfg, recordA, func(ctx context.Context, r *rig) {
		r.over(picky{r.store, "A-00000"}, cfg)
		r.writeCold(ctx, events("A", 2)...)
		r.run()
		pass(10 * time.Second) // less than a lease: the first does not come again
		if n := r.seen.times("A-00001"); n != 1 {
			t.Errorf("the second event ran %d times after the first outcome was given up", n)
		}
	})
}
