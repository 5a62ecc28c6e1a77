package relay_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
)

// The first event to try the destination is not the only one of the round.
func TestARoundDeliversAllOfALaneWhoseDestinationIsBackWhateverElseTheLaneHad(t *testing.T) {
	for name, stray := range map[string]bool{"one destination": false, "events without a destination": true} {
		t.Run(name, func(t *testing.T) {
			var down atomic.Bool
			down.Store(true)
			bubble(t, everySecond, func(r *rig) {
				r.reg.HandleAggregate("order", "A", func(context.Context, outbox.Event) error {
					if down.Load() {
						return outbox.Unavailable(errBoom)
					}
					return nil
				})
			}, func(ctx context.Context, r *rig) {
				of := func(aggregate string, i int) outbox.Event {
					e := event("A", i)
					e.AggregateType, e.AggregateID = aggregate, e.ID
					return e
				}
				if stray {
					r.writeCold(ctx, of("other", 100))
				}
				for i := range 5 {
					r.writeCold(ctx, of("order", i))
				}
				_, _ = r.relay.RunOnce(ctx)
				down.Store(false)
				pass(2 * time.Minute) // also the event without a destination is due again
				if rep, err := r.relay.RunOnce(ctx); err != nil || rep.Delivered != 5 {
					t.Errorf("%+v, %v after the destination came back", rep, err)
				}
			})
		})
	}
}
