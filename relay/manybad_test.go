package relay_test

import (
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/outboxtest"
	"github.com/sendoff-go/outbox/relay"
)

// Law 7. Its check passes, so that it is tried with one event after the other.
func TestManyEventsThatADestinationIsUnavailableForDoNotKeepTheOthersBackForLong(t *testing.T) {
	cfg := relay.Config{Lane: relay.LaneConfig{Interval: time.Second, DeliverBatch: 1}}
	sinkRig(cfg, t, func(ctx context.Context, r *rig, s *outboxtest.FlakySink) {
		s.Answer(func(_ context.Context, m outbox.Message) error {
			<-time.After(5 * time.Millisecond)
			if m.Event.ID < "A-00050" {
				return outbox.Unavailable(errBoom)
			}
			return nil
		})
		r.run()
		r.writeCold(ctx, events("A", 5000)...)
		pass(2 * time.Minute)
		if n := len(s.Sent()); n != 4950 {
			t.Errorf("sent %d of 4950 others", n)
		}
	})
}
