package relay_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/internal/relaykit"
	"github.com/sendoff-go/outbox/outboxtest"
	"github.com/sendoff-go/outbox/relay"
)

// hangingCheck is a sink that is down and whose check hangs: until its context
// ends, or, if it ignores that, until the gate opens.
type hangingCheck struct {
	relaykit.DownSink
	ignores bool
	gate    <-chan struct{}
	checks  atomic.Int32
}

func (s *hangingCheck) Check(ctx context.Context) error {
	s.checks.Add(1)
	if s.ignores {
		<-s.gate
		return nil
	}
	<-ctx.Done()
	return ctx.Err()
}

// The probes of others take five seconds each. Fifteen are the longest pause
// between two probes of a destination.
func TestADestinationIsProbedWhateverTheOthersDo(t *testing.T) {
	back := &outboxtest.FlakySink{}
	bubble(t, everySecond, func(r *rig) {
		r.reg.Route("back", back)
		for i := range 20 {
			r.reg.Route(fmt.Sprint("away-", i), &hangingCheck{})
		}
	}, func(ctx context.Context, r *rig) {
		r.run()
		for i := range 20 {
			r.writeCold(ctx, event(fmt.Sprint("away-", i), 1))
		}
		for i := range 5 { // whichever of them is being checked just then
			back.SetDown(true)
			r.writeCold(ctx, event("back", i))
			pass(4*time.Minute + time.Duration(i)*17*time.Second)
			back.SetDown(false)
			pass(16 * time.Second) // its own probe interval, and a second
			if n := len(back.Sent()); n != i+1 {
				t.Fatalf("%d messages reached the destination that is back, expected %d", n, i+1)
			}
		}
	})
}

func TestACheckThatIgnoresItsContextDoesNotBlockTheShutdown(t *testing.T) {
	cfg := relay.Config{DrainTimeout: 5 * time.Second, Lane: relay.LaneConfig{Interval: time.Second}}
	var sink *hangingCheck
	bubble(t, cfg, func(r *rig) {
		sink = &hangingCheck{ignores: true, gate: r.gate}
		r.reg.Route("A", sink)
	}, func(ctx context.Context, r *rig) {
		r.run()
		defer close(r.gate) // the check is left to itself, and ends some time
		r.writeCold(ctx, event("A", 1))
		pass(3 * time.Second)
		if sink.checks.Load() == 0 {
			t.Fatal("the destination was not checked")
		}
		start := time.Now()
		r.cancel()
		select {
		case err := <-r.done:
			if r.cancel = nil; err != nil {
				t.Error(err)
			}
		case <-time.After(time.Minute):
			t.Error("the relay does not end")
			return
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("the shutdown took %s, of a drain timeout of 5s", took)
		}
		r.wantStats(ctx, 1, 0, 0, 0)
	})
}

// One such check for every probe would use up memory, or the places of others.
func TestAStuckCheckNeitherAddsUpNorKeepsOthersFromTheirs(t *testing.T) {
	var stuck *hangingCheck
	back := &outboxtest.FlakySink{}
	bubble(t, everySecond, func(r *rig) {
		stuck = &hangingCheck{ignores: true, gate: r.gate}
		r.reg.Route("stuck", stuck)
		r.reg.Route("back", back)
	}, func(ctx context.Context, r *rig) {
		r.run()
		defer close(r.gate)
		r.writeCold(ctx, event("stuck", 1))
		pass(time.Hour)
		if n := stuck.checks.Load(); n != 1 {
			t.Errorf("%d checks go on", n)
		}
		back.SetDown(true)
		r.writeCold(ctx, event("back", 1))
		pass(4 * time.Minute)
		back.SetDown(false)
		pass(16 * time.Second)
		if n := len(back.Sent()); n != 1 {
			t.Errorf("%d messages reached the destination that is back", n)
		}
	})
}
