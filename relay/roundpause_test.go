package relay_test

import (
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
)

// "Every relay follows within two seconds."
func TestARoundFollowsAPauseThatBeginsDuringIt(t *testing.T) {
	cfg := relay.Config{Lane: relay.LaneConfig{Workers: 1}}
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			r.seen.note(e)
			<-time.After(time.Second)
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.writeCold(ctx, events("A", 600)...) // ten minutes
		done := make(chan error)
		go func() {
			_, err := r.relay.RunOnce(ctx)
			done <- err
		}()
		pass(10 * time.Second)
		r.setPaused(ctx, "", "A", true)
		pass(3 * time.Second)
		before := len(r.seen.order())
		if err := <-done; err != nil {
			t.Error(err)
		}
		if n := len(r.seen.order()) - before; n > 0 {
			t.Errorf("%d events began three seconds after their type was paused, and later", n)
		}
	})
}
