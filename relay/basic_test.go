package relay_test

import (
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
)

func TestACommittedEventIsDeliveredHotAndEndsDone(t *testing.T) {
	var hot bool
	bubble(t, relay.Config{}, func(r *rig) {
		r.reg.Handle("A", func(ctx context.Context, e outbox.Event) error {
			d, _ := outbox.DeliveryFrom(ctx)
			hot = d.Hot
			r.seen.note(e)
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.run()
		start := time.Now()
		r.write(ctx, event("A", 1))
		settled()
		if time.Since(start) > time.Second || r.seen.times("A-00001") != 1 || !hot {
			t.Errorf("delivered %d times, hot %v", r.seen.times("A-00001"), hot)
		}
		r.wantStats(ctx, 0, 0, 1, 0)
	})
}

func TestARowThatNobodyAnnouncedIsDeliveredByThePoller(t *testing.T) {
	bubble(t, relay.Config{}, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.writeCold(ctx, events("A", 300)...)
		pass(5 * time.Second)
		settled()
		if n := len(r.seen.order()); n != 300 {
			t.Errorf("delivered %d of 300", n)
		}
		r.wantStats(ctx, 0, 0, 300, 0)
	})
}

func TestAFailureIsRetriedWithBackoffUntilItIsDead(t *testing.T) {
	bubble(t, relay.Config{Lane: relay.LaneConfig{MaxAttempts: 3, Interval: time.Second}}, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return errBoom })
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.write(ctx, event("A", 1))
		pass(10 * time.Second)
		if n := r.seen.times("A-00001"); n != 3 {
			t.Errorf("tried %d times, want 3", n)
		}
		r.wantStats(ctx, 0, 0, 0, 1)
		l := r.letters(ctx)[0]
		if l.Attempts != 3 || len(l.Failures) != 3 || l.Failures[2].Attempt != 3 || l.Error != "boom" {
			t.Errorf("dead letter: attempts %d, failures %+v, error %q", l.Attempts, l.Failures, l.Error)
		}
	})
}
