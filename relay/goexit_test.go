package relay_test

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/retry"
)

// As t.FailNow does, in a listener that is a test.
func TestAListenerThatEndsItsGoroutineDoesNotLoseItsWorker(t *testing.T) {
	cfg := relay.Config{Lane: relay.LaneConfig{Workers: 1, Interval: time.Second, Retry: retry.Fixed(time.Second), MaxAttempts: 2}}
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			if r.seen.note(e); e.ID == "A-00001" {
				runtime.Goexit()
			}
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.write(ctx, event("A", 1)) // hot
		r.writeCold(ctx, events("A", 10)[2:]...)
		pass(10 * time.Second)
		r.wantStats(ctx, 0, 0, 8, 1)
		if n := r.seen.times("A-00001"); n != 2 {
			t.Errorf("%d attempts, expected both", n)
		}
		for _, l := range r.letters(ctx) {
			if !strings.Contains(l.Error, "Goexit") {
				t.Errorf("the dead letter says %q", l.Error)
			}
		}
		start := time.Now()
		if r.stop(); time.Since(start) > 0 {
			t.Errorf("the shutdown took %s with nothing left to do", time.Since(start))
		}
	})
}
