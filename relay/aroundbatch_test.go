package relay_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
)

type layer struct{}

func TestInterceptorsSurroundABatchAndGiveItsContext(t *testing.T) {
	var calls []string // of one worker
	note := func(format string, args ...any) { calls = append(calls, fmt.Sprintf(format, args...)) }
	around := func(name string, end func([]error)) outbox.Interceptor {
		return outbox.Interceptor{AroundBatch: func(ctx context.Context, es []outbox.Event) (context.Context, func([]error)) {
			note("%s: %d events, after %v", name, len(es), ctx.Value(layer{}))
			return context.WithValue(ctx, layer{}, name), end
		}}
	}
	own := outbox.Interceptor{Before: func(ctx context.Context, e outbox.Event) (context.Context, error) {
		d, _ := outbox.DeliveryFrom(ctx)
		if d.EventID != e.ID || d.Target == nil || d.Target.Pattern() != "A" {
			t.Errorf("the delivery of %s is %+v", e.ID, d)
		}
		if e.ID == "A-00002" {
			return ctx, errors.New("refused")
		}
		return ctx, nil
	}}
	cfg := relay.Config{
		Lane: relay.LaneConfig{Workers: 1, Interval: time.Second, DeliverBatch: 10, MaxAttempts: 1},
		Interceptors: []outbox.Interceptor{
			own, around("1", func(errs []error) { note("1: %v", errs) }), around("2", nil), around("3", func(errs []error) { note("3: %v", errs); panic("late") }),
		},
	}
	bubble(t, cfg, func(r *rig) {
		r.reg.HandleBatch("A", func(ctx context.Context, es []outbox.Event) []error {
			note("run in %v", ctx.Value(layer{}))
			if es[0].ID == "A-00001" {
				return []error{nil, errors.New("no")}
			}
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.writeCold(ctx, event("A", 1), event("A", 2), event("A", 3))
		r.run()
		pass(2 * time.Second)
		want := []string{"1: 2 events, after <nil>", "2: 2 events, after 1", "3: 2 events, after 2", "run in 3", "3: [<nil> no]", "1: [<nil> no]"}
		if !slices.Equal(calls, want) {
			t.Errorf("%q, want %q", calls, want)
		}
		r.wantStats(ctx, 0, 0, 1, 2)
		calls = nil
		r.write(ctx, event("A", 4)) // one event is no batch
		pass(2 * time.Second)
		if want := []string{"run in <nil>"}; !slices.Equal(calls, want) {
			t.Errorf("%q, want %q", calls, want)
		}
	})
}

func TestAPanicThatSurroundsABatchFailsItsEvents(t *testing.T) {
	cfg := relay.Config{
		Lane: relay.LaneConfig{Workers: 1, Interval: time.Second, DeliverBatch: 10, MaxAttempts: 1},
		Interceptors: []outbox.Interceptor{{AroundBatch: func(context.Context, []outbox.Event) (context.Context, func([]error)) {
			panic("early")
		}}},
	}
	bubble(t, cfg, func(r *rig) {
		r.reg.HandleBatch("A", func(context.Context, []outbox.Event) []error {
			t.Error("the events reached their destination")
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.writeCold(ctx, event("A", 1), event("A", 2))
		r.run()
		pass(2 * time.Second)
		r.wantStats(ctx, 0, 0, 0, 2)
	})
}
