package relay_test

import (
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
)

// What was released keeps its place in the table.
func TestARoundTriesAllAlthoughManyEventsOfADestinationThatIsDownComeFirst(t *testing.T) {
	cfg := relay.Config{Lane: relay.LaneConfig{Batch: 50, ColdQueue: 50}}
	bubble(t, cfg, func(r *rig) {
		r.reg.HandleAggregate("X", "A", func(context.Context, outbox.Event) error {
			<-time.After(50 * time.Millisecond)
			return outbox.Unavailable(errBoom)
		})
		r.reg.HandleAggregate("Y", "A", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
	}, func(ctx context.Context, r *rig) {
		r.over(slowClaims{slowClaims{r.store}}, cfg)
		es := events("A", 100)
		for i := range es {
			if es[i].AggregateType = "X"; i >= 50 {
				es[i].AggregateType = "Y"
			}
		}
		r.writeCold(ctx, es...)
		rep, err := r.relay.RunOnce(ctx)
		if err != nil || rep.Delivered != 50 {
			t.Errorf("delivered %d of 50: %+v, error %v", rep.Delivered, rep, err)
		}
	})
}
