package relay_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
)

// A fair lane is in the middle of its tenants when its destination goes away.
func TestARoundGoesOnWithOtherLanesWhenTheDestinationOfAFairOneGoesAway(t *testing.T) {
	cfg := relay.Config{Lanes: map[string]relay.LaneConfig{"F": {FairByTenant: true, Workers: 1}, "N": {}}}
	n := 0
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("F", func(context.Context, outbox.Event) error {
			if n++; n > 60 {
				return outbox.Unavailable(errors.New("down"))
			}
			return nil
		})
		r.reg.Handle("N", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
	}, func(ctx context.Context, r *rig) {
		var fair []outbox.Event
		for i := range 300 {
			e := event("F", i)
			e.TenantID = fmt.Sprintf("t%03d", i)
			fair = append(fair, e)
		}
		r.writeCold(ctx, fair...)
		r.writeCold(ctx, events("N", 1000)...)
		rep, err := r.relay.RunOnce(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(r.seen.order()); got != 1000 {
			t.Errorf("%d of 1000 events of N are delivered by a round, although nothing is wrong with N: %+v", got, rep)
		}
	})
}
