package relay_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
)

// Law 7. All were due when the round began.
func TestInARoundNoTypeWaitsForTheSlowRunsOfAnother(t *testing.T) {
	var last atomic.Int64
	bubble(t, relay.Config{}, func(r *rig) {
		r.reg.Handle("Slow", func(context.Context, outbox.Event) error {
			<-time.After(20 * time.Second)
			return nil
		})
		r.reg.Handle("Fast", func(_ context.Context, e outbox.Event) error {
			last.Store(time.Now().UnixNano())
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.writeCold(ctx, event("Slow", 1))
		r.writeCold(ctx, events("Fast", 1000)...)
		begun := time.Now()
		rep, err := r.relay.RunOnce(ctx)
		if err != nil || rep.Delivered != 1001 {
			t.Fatalf("%+v, %v", rep, err)
		}
		if waited := time.Unix(0, last.Load()).Sub(begun); waited > time.Second {
			t.Errorf("the last one of the other type ran after %s", waited)
		}
	})
}

// Nor does a type wait for its own slow run, as long as it has other workers.
func TestInARoundOneSlowRunDoesNotHoldUpTheOthersOfItsType(t *testing.T) {
	var last atomic.Int64
	bubble(t, relay.Config{}, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			if e.ID == "A-00000" {
				<-time.After(20 * time.Second)
				return nil
			}
			last.Store(time.Now().UnixNano())
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.writeCold(ctx, events("A", 1000)...)
		begun := time.Now()
		rep, err := r.relay.RunOnce(ctx)
		if err != nil || rep.Delivered != 1000 {
			t.Fatalf("%+v, %v", rep, err)
		}
		if waited := time.Unix(0, last.Load()).Sub(begun); waited > time.Second {
			t.Errorf("the last of the others ran after %s", waited)
		}
	})
}
