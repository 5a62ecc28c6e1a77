package relay_test

import (
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/outboxtest"
	"github.com/sendoff-go/outbox/relay"
)

// It is half-open for most of the time: until several events in a row have tried it
// in vain, or while one hangs.
func TestADestinationWhoseCheckPassesIsDownUntilAnEventGetsThrough(t *testing.T) {
	for name, answer := range map[string]func(context.Context, outbox.Message) error{
		"it refuses": func(context.Context, outbox.Message) error { return outbox.Unavailable(errBoom) },
		"it hangs":   func(ctx context.Context, _ outbox.Message) error { <-ctx.Done(); return ctx.Err() },
	} {
		t.Run(name, func(t *testing.T) {
			cfg := relay.Config{Lane: relay.LaneConfig{Interval: time.Second, DeliverBatch: 1}}
			sinkRig(cfg, t, func(ctx context.Context, r *rig, s *outboxtest.FlakySink) {
				announced := func() (down time.Duration) {
					t.Helper()
					ins, err := r.store.Instances(ctx)
					if err != nil || len(ins) != 1 {
						t.Fatalf("%+v, error %v", ins, err)
					}
					for _, d := range ins[0].Destinations {
						down = max(down, d.Down)
					}
					return down
				}
				s.Answer(answer)
				r.run()
				r.writeCold(ctx, events("A", 3)...)
				pass(10 * time.Minute) // a run lasts five
				for last := announced(); last < 20*time.Minute; {
					pass(30 * time.Second)
					now := announced()
					if now < last+20*time.Second {
						t.Fatalf("announced as down for %s, and half a minute later for %s", last, now)
					}
					last = now
				}
				s.Answer(nil)
				pass(6 * time.Minute)
				if d := announced(); d != 0 {
					t.Errorf("announced as down for %s, and it is back", d)
				}
			})
		})
	}
}
