package relay_test

import (
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
)

// The only worker of a lane is stuck for some seconds more than its run may take. What
// the lane gives back meanwhile was due, and is tried when the lane goes on.
func TestARoundGoesOnWithALaneWhoseWorkerComesBack(t *testing.T) {
	cfg := relay.Config{Lane: relay.LaneConfig{Interval: time.Second, Workers: 1, Timeout: time.Second}}
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			if r.seen.note(e); e.ID == "A-00000" {
				<-time.After(5 * time.Second)
			}
			return nil
		})
		taking(900*time.Millisecond, "B")(r) // the round goes on for 18 s
	}, func(ctx context.Context, r *rig) {
		r.writeCold(ctx, events("A", 10)...)
		r.writeCold(ctx, events("B", 20)...)
		rep, err := r.relay.RunOnce(ctx)
		if err != nil || rep.Delivered != 29 || rep.Retried != 1 {
			t.Errorf("%+v, %v", rep, err)
		}
		if n := len(r.seen.order()); n != 10 {
			t.Errorf("%d of 10 events were tried", n)
		}
		r.wantOnce("")
	})
}
