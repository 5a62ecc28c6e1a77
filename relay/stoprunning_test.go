package relay_test

import (
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/relay"
)

// The listener ignores its context.
func TestAShutdownDoesNotHandOverWhatStillRuns(t *testing.T) {
	cfg := relay.Config{Lane: relay.LaneConfig{Interval: time.Second, Timeout: 5 * time.Second}}
	bubble(t, cfg, stuckAt("A-00000"), func(ctx context.Context, r *rig) {
		r.stays = true
		r.run()
		r.writeCold(ctx, event("A", 0))
		r.relay.Wake("A")
		pass(1500 * time.Millisecond)
		r.stop()
		for range 10 {
			if s := r.stats(ctx); s.OldestDue > 0 || s.Waiting.N+s.Held.N != 1 {
				t.Fatalf("%+v: others could run it at once", s)
			}
			pass(time.Second)
		}
		close(r.gate)
	})
}
