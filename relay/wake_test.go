package relay_test

import (
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/retry"
)

func TestManyDelayedEventsDoNotMakeARetryLate(t *testing.T) {
	var at []time.Time
	bubble(t, relay.Config{Lane: relay.LaneConfig{Interval: time.Hour, Retry: retry.Fixed(200 * time.Millisecond)}}, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			at = append(at, time.Now())
			if r.seen.note(e) == 1 {
				return errBoom
			}
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.run()
		es := events("A", 300)
		for i := range es {
			es[i].DeliverAfter = 5*time.Hour + time.Duration(i)*time.Second
		}
		r.write(ctx, es...)
		settled()
		r.write(ctx, event("A", 1000))
		pass(time.Second)
		if len(at) != 2 || at[1].Sub(at[0]) > 250*time.Millisecond {
			t.Errorf("attempts at %v", at)
		}
	})
}
