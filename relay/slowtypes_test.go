package relay_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/relaykit"
	"github.com/sendoff-go/outbox/relay"
)

// What all lanes hold together is bounded, and slow ones must not fill that.
func TestSlowTypesWithABacklogDoNotThrottleAFastOne(t *testing.T) {
	const slow, proof, n = 4, 1000, 2000
	bubble(t, relay.Config{Lane: relay.LaneConfig{Interval: time.Second}}, func(r *rig) {
		for i := range slow {
			r.reg.Handle(fmt.Sprint("slow", i), relaykit.OneSecond)
		}
		r.reg.Handle("fast", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
	}, func(ctx context.Context, r *rig) {
		for i := range slow {
			r.writeCold(ctx, events(fmt.Sprint("slow", i), 1200)...)
		}
		fast := events("fast", proof+n)
		r.writeCold(ctx, fast[:proof]...)
		r.run()
		pass(2 * time.Minute)
		r.writeCold(ctx, fast[proof:]...)
		start := time.Now()
		for len(r.seen.order()) < proof+n && time.Since(start) < 10*time.Minute {
			pass(100 * time.Millisecond)
		}
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("%d events of a fast type took %s beside %d slow types", n, took, slow)
		}
	})
}
