package relay_test

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/retry"
	"github.com/sendoff-go/outbox/store/memstore"
)

// failing refuses every message for a reason of its own.
type failing struct{ seen *recorder }

func (s failing) Send(_ context.Context, batch []outbox.Message) []error {
	errs := make([]error, len(batch))
	for i, m := range batch {
		s.seen.note(m.Event)
		errs[i] = errBoom
	}
	return errs
}

func TestTypesOfAPatternTakeTheirSettingsFromLaneFor(t *testing.T) {
	asked := map[string]int{}
	bubble(t, relay.Config{
		Lane:  relay.LaneConfig{MaxAttempts: 4, Interval: time.Second, Retry: retry.Fixed(time.Second)},
		Lanes: map[string]relay.LaneConfig{"order-named": {MaxAttempts: 2}},
		LaneFor: func(eventType string) relay.LaneConfig {
			asked[eventType]++
			if eventType == "order-new" {
				return relay.LaneConfig{MaxAttempts: 3}
			}
			return relay.LaneConfig{}
		},
	}, func(r *rig) {
		r.reg.Route("order-*", failing{r.seen})
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.writeCold(ctx, event("order-named", 1), event("order-new", 1), event("order-other", 1))
		pass(time.Minute)
		settled()
		for id, want := range map[string]int{"order-named-00001": 2, "order-new-00001": 3, "order-other-00001": 4} {
			if n := r.seen.times(id); n != want {
				t.Errorf("%s was tried %d times, want %d", id, n, want)
			}
		}
	})
	if asked["order-named"] != 0 || asked["order-new"] != 1 || asked["order-other"] != 1 {
		t.Errorf("asked %v", asked)
	}
}

func TestSettingsOfALaneThatMakeNoSenseAreNotUsed(t *testing.T) {
	for name, laneFor := range map[string]func(string) relay.LaneConfig{
		"a panic":   func(string) relay.LaneConfig { panic("no settings") },
		"a mistake": func(string) relay.LaneConfig { return relay.LaneConfig{Interval: -time.Second} },
	} {
		t.Run(name, func(t *testing.T) {
			cfg := everySecond
			cfg.LaneFor = laneFor
			bubble(t, cfg, func(r *rig) {
				r.reg.Handle("A", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
			}, func(ctx context.Context, r *rig) {
				r.writeCold(ctx, event("A", 1))
				r.run()
				pass(2 * time.Second)
				r.wantStats(ctx, 0, 0, 1, 0)
			})
		})
	}
}

func TestLaneForIsCalledOnceThoughTwoNeedTheLaneAtTheSameTime(t *testing.T) {
	var asked atomic.Int64
	gate := make(chan struct{})
	reg := outbox.NewRegistry()
	reg.Route("order-*", failing{&recorder{n: map[string]int{}}})
	rel, err := relay.New(memstore.New(memstore.Config{}), reg, relay.Config{Logger: quietLog(), LaneFor: func(string) relay.LaneConfig {
		asked.Add(1)
		<-gate
		return relay.LaneConfig{}
	}})
	if err != nil {
		t.Fatal(err)
	}
	var wakes sync.WaitGroup
	for range 2 {
		wakes.Go(func() { rel.Wake("order-new") })
	}
	for start := time.Now(); asked.Load() < 2 && time.Since(start) < 100*time.Millisecond; {
		runtime.Gosched()
	}
	close(gate)
	wakes.Wait()
	if n := asked.Load(); n != 1 {
		t.Errorf("called %d times", n)
	}
}
