package relay_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
)

func TestARoundTriesADestinationAgainWhenItsProbeIsDue(t *testing.T) {
	var down atomic.Bool
	down.Store(true)
	bubble(t, everySecond, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			r.seen.note(e)
			if down.Load() {
				return outbox.Unavailable(errBoom)
			}
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		round := func() relay.Report {
			t.Helper()
			rep, err := r.relay.RunOnce(ctx)
			if err != nil {
				t.Fatal(err)
			}
			return rep
		}
		r.writeCold(ctx, events("A", 5)...)
		round()
		if first := len(r.seen.order()); first == 0 || round().Delivered != 0 || len(r.seen.order()) != first {
			t.Errorf("%d calls, then %d before the probe is due", first, len(r.seen.order()))
		}
		down.Store(false)
		pass(time.Second)
		if rep := round(); rep.Delivered != 5 {
			t.Errorf("%+v after the destination came back", rep)
		}
		r.wantStats(ctx, 0, 0, 5, 0)
	})
}

func TestARoundDoesNotOutliveItsContextForAListenerThatIgnoresIt(t *testing.T) {
	bubble(t, relay.Config{DrainTimeout: time.Second}, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			if r.seen.note(e); e.ID == "A-00001" {
				<-r.gate
			}
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.writeCold(ctx, event("A", 1))
		short, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
		defer cancel()
		start, returned := time.Now(), make(chan time.Time, 1)
		go func() {
			_, _ = r.relay.RunOnce(short)
			returned <- time.Now()
		}()
		select {
		case at := <-returned:
			if took := at.Sub(start); took > 2*time.Second {
				t.Errorf("it returned after %s", took)
			}
		case <-time.After(time.Minute):
			t.Error("it still runs a minute later")
		}
		r.wantStats(ctx, 0, 1, 0, 0) // left to its lease
		r.writeCold(ctx, event("A", 2))
		start = time.Now()
		if rep, err := r.relay.RunOnce(ctx); err != nil || rep.Delivered != 1 || time.Since(start) > time.Second {
			t.Errorf("the next round: %+v, %v after %s", rep, err, time.Since(start))
		}
		close(r.gate)
		pass(time.Second)
		if n := r.seen.times("A-00001"); n != 1 {
			t.Errorf("it ran %d times", n)
		}
	})
}
