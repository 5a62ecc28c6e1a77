package relay_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/retry"
)

func TestARelayAnnouncesWhatItHasDone(t *testing.T) {
	cfg := relay.Config{Lane: relay.LaneConfig{MaxAttempts: 2, Retry: retry.Fixed(time.Second), Workers: 3}}
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("A", func(context.Context, outbox.Event) error { <-time.After(100 * time.Millisecond); return nil })
		r.reg.Handle("B", func(context.Context, outbox.Event) error { return errors.New("no") })
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.write(ctx, numbered("A", 10, 13)...)
		r.writeCold(ctx, events("A", 2)...)
		r.writeCold(ctx, events("B", 1)...)
		pass(time.Minute)
		ins, err := r.store.Instances(ctx)
		if err != nil || len(ins) != 1 {
			t.Fatalf("%d instances, %v", len(ins), err)
		}
		f := ins[0].Figures
		if f.Workers != 6 || f.Held != 0 || f.Running != 0 || len(f.Types) != 2 {
			t.Fatalf("%+v", f)
		}
		if f.Busy < 300*time.Millisecond || f.Busy > time.Second {
			t.Errorf("its workers were busy for %s, expected about 500 ms", f.Busy)
		}
		a, b := f.Types[0], f.Types[1]
		if a.Type != "A" || a.Delivered != 5 || a.Hot != 3 || a.Failed != 0 || a.Dead != 0 {
			t.Errorf("%+v", a)
		}
		if p := a.Ages.Percentile(0.5); p < 50*time.Millisecond || p > time.Second {
			t.Errorf("half of the events are said to be delivered within %s of their commit", p)
		}
		if b.Type != "B" || b.Delivered != 0 || b.Failed != 2 || b.Dead != 1 {
			t.Errorf("%+v", b)
		}
	})
}
