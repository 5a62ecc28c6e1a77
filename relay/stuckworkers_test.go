package relay_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
)

func TestALaneWithoutAWorkerLeftKeepsNothingFromOthers(t *testing.T) {
	cfg := relay.Config{Lane: relay.LaneConfig{Interval: time.Second, Timeout: time.Minute}}
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			if r.seen.note(e) == 1 && e.ID < "A-00004" {
				<-r.gate
			}
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.writeCold(ctx, events("A", 4)...)
		r.stays = true
		r.run()
		pass(2 * time.Minute) // all four are stuck
		r.beside(ctx, cfg)
		for i := range 100 {
			r.writeCold(ctx, event("A", 100+i))
			pass(time.Second)
		}
		delivered := func() (n int) {
			for i := range 100 {
				n += r.seen.times(fmt.Sprintf("A-%05d", 100+i))
			}
			return n
		}
		within(24*time.Hour, func() bool { return delivered() >= 100 })
		pass(time.Hour) // in which none comes again
		s := r.stats(ctx)
		if n := delivered(); n != 100 {
			t.Errorf("%d of 100 delivered in a day beside an idle relay; held %d", n, s.Held.N)
		}
		close(r.gate)
	})
}

func TestRunOnceReturnsAlthoughEveryWorkerIsStuck(t *testing.T) {
	cfg := relay.Config{Lane: relay.LaneConfig{Workers: 1, Timeout: time.Minute}}
	bubble(t, cfg, stuckAt("A-00000"), func(ctx context.Context, r *rig) {
		r.writeCold(ctx, events("A", 2)...)
		start, done := time.Now(), make(chan struct{})
		go func() { _, _ = r.relay.RunOnce(ctx); close(done) }()
		select {
		case <-done:
		case <-time.After(12 * time.Hour):
			t.Errorf("RunOnce has not returned after %s", time.Since(start))
		}
		close(r.gate)
		<-done
	})
}

func TestALaneGoesOnWhenAStuckWorkerComesBack(t *testing.T) {
	cfg := relay.Config{Lane: relay.LaneConfig{Interval: time.Second, Workers: 1, Timeout: time.Minute}}
	bubble(t, cfg, stuckAt("A-00000"), func(ctx context.Context, r *rig) {
		r.writeCold(ctx, events("A", 3)...)
		r.run()
		pass(time.Hour)
		close(r.gate)
		pass(10 * time.Second)
		r.write(ctx, event("A", 9))
		pass(time.Minute)
		r.wantStats(ctx, 0, 0, 4, 0)
	})
}

// slowPolicy takes its time.
type slowPolicy struct{}

func (slowPolicy) Delay(int) time.Duration { <-time.After(2 * time.Second); return time.Second }

// A run is found overdue, and ends while the retry policy is asked.
func TestRunsThatEndWhileTheyAreGivenUpDoNotShutTheirLane(t *testing.T) {
	cfg := relay.Config{Lane: relay.LaneConfig{Workers: 1, Interval: time.Second, Timeout: 10 * time.Second, Retry: slowPolicy{}}}
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			if r.seen.note(e) == 1 && e.ID == "A-00000" {
				<-time.After(12 * time.Second) // two more than it has
			}
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.writeCold(ctx, event("A", 0))
		pass(time.Minute)
		r.writeCold(ctx, events("A", 11)[1:]...)
		pass(time.Hour)
		r.wantStats(ctx, 0, 0, 11, 0)
	})
}
