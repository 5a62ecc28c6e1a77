package relay_test

import (
	"context"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/outboxtest"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/retry"
)

// policyFunc is a retry policy.
type policyFunc func(attempts int) time.Duration

func (f policyFunc) Delay(attempts int) time.Duration { return f(attempts) }

// everyHook calls f from each hook that there is, and notes its name.
func everyHook(f func(name string)) (h observe.Hooks) {
	v := reflect.ValueOf(&h).Elem()
	for i := range v.NumField() {
		if field := v.Field(i); field.Kind() == reflect.Func {
			name := v.Type().Field(i).Name
			field.Set(reflect.MakeFunc(field.Type(), func([]reflect.Value) []reflect.Value {
				f(name)
				return nil
			}))
		}
	}
	return h
}

// Code of the user must not find the relay locked, or it would wait for itself.
func TestHooksPoliciesAndLaneForMayCallTheRelay(t *testing.T) {
	var r *rig
	var mu sync.Mutex
	called := map[string]bool{}
	wake := func(name string) {
		mu.Lock()
		first := !called[name]
		called[name] = called[name] || r.relay != nil
		mu.Unlock()
		if first && r.relay != nil { // each poll calls hooks: waking in all of them would never end
			r.relay.Wake("A")
			r.relay.Wake()
		}
	}
	cfg := everySecond
	cfg.Hooks = everyHook(wake)
	cfg.Lane.HotQueue = 2
	cfg.Lane.Timeout = 2 * time.Second
	cfg.Lane.Retry = policyFunc(func(int) time.Duration { wake("policy"); return time.Second })
	cfg.LaneFor = func(string) relay.LaneConfig { wake("LaneFor"); return relay.LaneConfig{} }
	bubble(t, cfg, func(made *rig) {
		r = made
		r.reg.Handle("A", func(context.Context, outbox.Event) error { return nil })
		r.reg.Handle("bad", func(context.Context, outbox.Event) error { return errBoom })
		r.reg.Handle("away", func(context.Context, outbox.Event) error { return outbox.Unavailable(errBoom) })
		r.reg.Handle("stuck", func(context.Context, outbox.Event) error { <-r.gate; return nil })
		r.reg.Route("later-*", &outboxtest.FlakySink{})
	}, func(ctx context.Context, r *rig) {
		r.run()
		defer close(r.gate)
		for _, typ := range []string{"A", "bad", "away", "stuck", "later-1", "nobody"} {
			r.writeCold(ctx, event(typ, 1))
			r.write(ctx, event(typ, 2))
		}
		for i := range 10 {
			r.write(ctx, event("stuck", 10+i))
		}
		r.writeCold(ctx, event("later-2", 1))
		pass(time.Minute)
		mu.Lock()
		defer mu.Unlock()
		for _, name := range []string{"policy", "LaneFor", "Delivered", "Failed", "Dead", "Stuck", "Breaker", "HotDropped", "HotEnqueued", "Claimed", "Settled", "Renewed", "QueueDepths"} {
			if !called[name] {
				t.Errorf("%s was not called", name)
			}
		}
	})
}

// Each is told before the outcome is written, so that nobody can run the event
// again and tell of that first.
func TestTheHooksOfOneEventComeInOrderThoughOneIsSlow(t *testing.T) {
	var mu sync.Mutex
	var told []string
	note := func(what string) {
		<-time.After(3 * time.Second)
		mu.Lock()
		defer mu.Unlock()
		told = append(told, what)
	}
	cfg := everySecond
	cfg.Lane.Retry = retry.Fixed(10 * time.Millisecond)
	cfg.Hooks.Failed = func(observe.FailedInfo) { note("failed") }
	cfg.Hooks.Delivered = func(observe.DeliveredInfo) { note("delivered") }
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			if r.seen.note(e) < 3 {
				return errBoom
			}
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.write(ctx, event("A", 1))
		pass(time.Minute)
		mu.Lock()
		defer mu.Unlock()
		if want := []string{"failed", "failed", "delivered"}; !slices.Equal(told, want) {
			t.Errorf("told %v, expected %v", told, want)
		}
	})
}
