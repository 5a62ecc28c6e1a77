package relay_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/outboxtest"
	"github.com/sendoff-go/outbox/relay"
)

func sinkRig(cfg relay.Config, t *testing.T, f func(ctx context.Context, r *rig, s *outboxtest.FlakySink)) {
	s := &outboxtest.FlakySink{}
	bubble(t, cfg, func(r *rig) {
		r.reg.Route("A", s, outbox.To("topic"))
		r.reg.Handle("B", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
	}, func(ctx context.Context, r *rig) { f(ctx, r, s) })
}

// Scenario 36.
func TestASinkThatIsDownForAnHourSpendsNoAttemptAndDelaysNobodyElse(t *testing.T) {
	sinkRig(everySecond, t, func(ctx context.Context, r *rig, s *outboxtest.FlakySink) {
		f := r.flaky(everySecond)
		s.SetDown(true)
		r.run()
		r.writeCold(ctx, events("A", 2000)...)
		pass(time.Hour)
		if f.Calls(outboxtest.OpClaim) > 3*3600 {
			t.Errorf("%d claims", f.Calls(outboxtest.OpClaim))
		}
		start := time.Now()
		r.write(ctx, events("B", 100)...)
		settled()
		if n := len(r.seen.order()); n != 100 || time.Since(start) > time.Second {
			t.Errorf("the other lane delivered %d", n)
		}
		s.SetDown(false)
		pass(time.Minute)
		if n := len(s.Sent()); n != 2000 {
			t.Errorf("sent %d of 2000", n)
		}
		r.wantStats(ctx, 0, 0, 2100, 0)
	})
}

// Scenario 72, first half.
func TestASinkThatHangsSpendsNoAttempt(t *testing.T) {
	cfg := everySecond
	cfg.Lane.Timeout = 10 * time.Second
	sinkRig(cfg, t, func(ctx context.Context, r *rig, s *outboxtest.FlakySink) {
		s.SetHanging(true)
		r.run()
		r.write(ctx, events("A", 50)...)
		pass(500 * time.Second) // fifty attempt times
		r.wantStats(ctx, 50, 0, 0, 0)
		s.SetHanging(false)
		pass(time.Minute)
		if n := len(s.Sent()); n != 50 {
			t.Errorf("sent %d of 50", n)
		}
		r.wantStats(ctx, 0, 0, 50, 0)
	})
}

// Scenario 72, second half.
func TestAMessageThatCutsTheConnectionIsDeadAndTheOthersGoThrough(t *testing.T) {
	sinkRig(everySecond, t, func(ctx context.Context, r *rig, s *outboxtest.FlakySink) {
		var broken atomic.Bool // batches are sent side by side
		s.Answer(func(_ context.Context, m outbox.Message) error {
			if m.Event.ID == "A-00013" {
				broken.Store(true)
			}
			if broken.Load() { // the rest of the batch is lost with the connection
				return outbox.Unavailable(errors.New("connection lost"))
			}
			return nil
		})
		s.Mend(func() { broken.Store(false) })
		r.run()
		r.writeCold(ctx, events("A", 60)...)
		pass(10 * time.Minute)
		if n := len(s.Sent()); n != 59 {
			t.Errorf("sent %d of 59", n)
		}
		ls := r.letters(ctx)
		if len(ls) != 1 || ls[0].EventID != "A-00013" || ls[0].Attempts != 3 {
			t.Errorf("dead letters %+v", ls)
		}
	})
}

// Scenario 35.
func TestABadMessageInABatchFailsAlone(t *testing.T) {
	cfg := everySecond
	sinkRig(cfg, t, func(ctx context.Context, r *rig, s *outboxtest.FlakySink) {
		s.Answer(func(_ context.Context, m outbox.Message) error {
			if m.Event.ID == "A-00005" {
				return outbox.Permanent(errBoom)
			}
			return nil
		})
		r.run()
		r.write(ctx, events("A", 20)...)
		settled()
		if n := len(s.Sent()); n != 19 {
			t.Errorf("sent %d", n)
		}
		r.wantStats(ctx, 0, 0, 19, 1)
		m := s.Sent()[0]
		if m.Destination != "topic" || m.Headers[outbox.HeaderEventID] != m.Event.ID || m.Headers[outbox.HeaderEventType] != "A" {
			t.Errorf("message %+v", m)
		}
	})
}
