package relay_test

import (
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
)

func TestABatchSmallerThanTheWorkersKeepsNoneIdle(t *testing.T) {
	cfg := relay.Config{Lane: relay.LaneConfig{Interval: time.Second, Workers: 4, Batch: 1, Timeout: 2 * time.Hour}}
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error { r.seen.note(e); <-r.gate; return nil })
	}, func(ctx context.Context, r *rig) {
		r.writeCold(ctx, events("A", 8)...)
		r.run()
		pass(time.Hour)
		if n := len(r.seen.order()); n != 4 {
			t.Errorf("%d of 4 workers work, 8 events are due for an hour", n)
		}
		close(r.gate)
	})
}
