package relay_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
)

func TestRunSaysWhichListenersOutliveTheDrainTimeout(t *testing.T) {
	bubble(t, relay.Config{Lane: relay.LaneConfig{Interval: time.Second}}, func(r *rig) {
		stay := func(context.Context, outbox.Event) error { <-r.gate; return nil }
		r.reg.Handle("A", stay)
		r.reg.Handle("B", stay)
		r.reg.Handle("C", func(context.Context, outbox.Event) error { return nil })
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.write(ctx, event("A", 1), event("A", 2), event("B", 1), event("C", 1))
		settled()
		r.cancel()
		r.cancel = nil
		err := <-r.done
		if !errors.Is(err, relay.ErrStillRunning) || !strings.Contains(err.Error(), "2 of A, 1 of B:") {
			t.Errorf("error %v, want ErrStillRunning that names A and B", err)
		}
		r.run() // and is no business of the next
		r.stop()
		close(r.gate)
	})
}

func TestARoundSaysWhichListenersOutliveIt(t *testing.T) {
	bubble(t, relay.Config{DrainTimeout: time.Second}, func(r *rig) {
		r.reg.Handle("A", func(context.Context, outbox.Event) error { <-r.gate; return nil })
	}, func(ctx context.Context, r *rig) {
		r.writeCold(ctx, event("A", 1))
		short, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		if _, err := r.relay.RunOnce(short); !errors.Is(err, relay.ErrStillRunning) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v, want ErrStillRunning and the end of the context", err)
		}
		close(r.gate)
	})
}

func TestRunWaitsForAStuckListenerWithinTheDrainTimeout(t *testing.T) {
	cfg := relay.Config{DrainTimeout: 10 * time.Second, Lane: relay.LaneConfig{Timeout: time.Second}}
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("A", func(context.Context, outbox.Event) error { <-r.gate; return nil })
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.write(ctx, event("A", 1))
		pass(time.Minute) // its time is over, and it was settled as failed
		time.AfterFunc(5*time.Second, func() { close(r.gate) })
		r.stop() // complains if Run returns an error
	})
}
