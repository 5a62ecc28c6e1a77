package relay_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/outboxtest"
	"github.com/sendoff-go/outbox/relay"
)

// It is half-open for most of the time, and metrics count what the hook says.
func TestTheHookSaysThatADestinationIsUnavailableWhileEventsTryItInVain(t *testing.T) {
	var open atomic.Bool
	cfg := relay.Config{
		Lane:  relay.LaneConfig{Interval: time.Second, DeliverBatch: 1},
		Hooks: observe.Hooks{Breaker: func(i observe.BreakerInfo) { open.Store(i.Open) }},
	}
	sinkRig(cfg, t, func(ctx context.Context, r *rig, s *outboxtest.FlakySink) {
		s.Answer(func(context.Context, outbox.Message) error { return outbox.Unavailable(errBoom) })
		r.run()
		r.writeCold(ctx, events("A", 3)...)
		pass(time.Minute)
		unavailable := 0
		for range 1800 {
			pass(time.Second)
			if open.Load() {
				unavailable++
			}
		}
		if unavailable < 1750 {
			t.Errorf("it was unavailable for half an hour, and by the hook for %d s of it", unavailable)
		}
		setLane := func(paused bool) {
			if err := r.store.SetPaused(ctx, driver.PausableLane("A"), paused, "ann"); err != nil {
				t.Fatal(err)
			}
		}
		setLane(true) // nothing is left that would try it
		if pass(2 * time.Minute); open.Load() {
			t.Error("no event has tried it for long, and its check passes")
		}
		setLane(false)
		s.Answer(nil)
		pass(time.Minute)
		if r.wantStats(ctx, 0, 0, 3, 0); open.Load() {
			t.Error("it is back, and not by the hook")
		}
	})
}
