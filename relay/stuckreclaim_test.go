package relay_test

import (
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/outboxtest"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/retry"
)

// The failure of the stuck run is written and its answer lost, so that the row
// is claimed again while its outcome is still to be repeated.
func TestAStuckEventThatIsClaimedAgainIsForgottenOnce(t *testing.T) {
	cfg := relay.Config{
		Lane: relay.LaneConfig{Interval: time.Second, Timeout: 10 * time.Second, Retry: retry.Fixed(time.Second)},
	}
	bubble(t, cfg, stuckAt("A-00000"), func(ctx context.Context, r *rig) {
		flaky := r.flaky(cfg)
		r.writeCold(ctx, event("A", 0))
		r.run()
		pass(8 * time.Second)
		flaky.Plan(func(op outboxtest.Op, call int) outboxtest.Fault {
			switch {
			case op != outboxtest.OpSettle:
				return outboxtest.None
			case call == 1:
				return outboxtest.LoseAnswer
			default:
				return outboxtest.Refuse
			}
		})
		pass(10 * time.Second)
		flaky.Plan(nil)
		pass(10 * time.Second)
		if n := r.seen.times("A-00000"); n != 1 {
			t.Errorf("it ran %d times while its first run went on", n)
		}
		close(r.gate)
		pass(time.Minute)
		r.wantStats(ctx, 0, 0, 1, 0)
		r.stop() // would not return if an older copy were left in memory
	})
}
