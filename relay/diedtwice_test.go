package relay_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
)

// "from one goroutine at a time": a relay can be run again while a call of the run
// before goes on.
func TestDiedIsNotCalledTwiceAtOnceAfterARestart(t *testing.T) {
	var at, most atomic.Int64
	var release chan struct{}
	cfg := relay.Config{Died: func(context.Context, []relay.Death) error {
		most.Store(max(most.Load(), at.Add(1)))
		defer at.Add(-1)
		<-release
		return nil
	}}
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("A", func(context.Context, outbox.Event) error { return outbox.Permanent(errors.New("no")) })
	}, func(ctx context.Context, r *rig) {
		release = make(chan struct{})
		r.run()
		r.write(ctx, event("A", 1))
		pass(time.Second)
		r.stop()
		r.run()
		r.write(ctx, event("A", 2))
		pass(time.Second)
		if n := most.Load(); n != 1 {
			t.Errorf("%d calls at once", n)
		}
		close(release)
		pass(time.Second)
	})
}

func TestARoundDoesNotWaitAgainForADiedThatHangs(t *testing.T) {
	var release chan struct{}
	dying(func(*rig) func(context.Context, []relay.Death) error {
		return func(context.Context, []relay.Death) error { <-release; return nil }
	}, func(ctx context.Context, r *rig) {
		release = make(chan struct{})
		r.writeCold(ctx, event("A", 1))
		for i := range 4 {
			start := time.Now()
			if _, err := r.relay.RunOnce(ctx); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(start); i > 0 && took > time.Second {
				t.Errorf("a round with nothing to do took %s", took)
			}
		}
		close(release)
		pass(time.Second)
	})(t)
}
