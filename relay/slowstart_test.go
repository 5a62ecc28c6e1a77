package relay_test

import (
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/outboxtest"
	"github.com/sendoff-go/outbox/relay"
)

func TestARelayHoldsOneBatchUntilItHasFinishedMore(t *testing.T) {
	bubble(t, everySecond, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error { <-r.gate; r.seen.note(e); return nil })
	}, func(ctx context.Context, r *rig) {
		r.writeCold(ctx, events("A", 5000)...)
		r.run()
		pass(30 * time.Second)
		r.wantStats(ctx, 4950, 50, 0, 0)
		close(r.gate)
		pass(2 * time.Second)
		r.wantStats(ctx, 0, 0, 5000, 0)
	})
}

// A lone run that waits for a destination that is down, when the process is
// ended for a reason of its own, is not the event's doing.
func TestASuspectIsNotBlamedForADestinationThatIsAway(t *testing.T) {
	sinkRig(relay.Config{}, t, func(ctx context.Context, r *rig, s *outboxtest.FlakySink) {
		s.SetHanging(true)
		r.writeCold(ctx, events("A", 20)...)
		for range 15 {
			f := r.flaky(everySecond)
			r.run()
			pass(time.Second)
			r.crash(f)
			pass(16 * time.Second) // its leases end
		}
		if n := len(r.letters(ctx)); n > 0 {
			t.Errorf("%d dead letters", n)
		}
		s.SetHanging(false)
		r.flaky(everySecond)
		r.run()
		pass(time.Minute)
		if n := len(s.Sent()); n != 20 {
			t.Errorf("sent %d of 20", n)
		}
		r.wantStats(ctx, 0, 0, 20, 0)
	})
}
