package relay_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/memstore"
)

// lagging answers one look at what is paused late, with what it saw at first.
type lagging struct {
	*memstore.Store
	next atomic.Bool
}

func (s *lagging) Paused(ctx context.Context) ([]driver.Pause, error) {
	late := s.next.CompareAndSwap(true, false)
	all, err := s.Store.Paused(ctx)
	if late {
		<-time.After(1400 * time.Millisecond)
	}
	return all, err
}

// Two loops look: one often, and one that also looks which lanes wait.
func TestALateLookDoesNotUndoAPause(t *testing.T) {
	cfg := relay.Config{LookInterval: 4600 * time.Millisecond, Lane: relay.LaneConfig{Interval: 50 * time.Millisecond}}
	bubble(t, cfg, recordA, func(ctx context.Context, r *rig) {
		s := &lagging{Store: r.store}
		r.over(s, cfg)
		r.run()
		pass(4500 * time.Millisecond)
		s.next.Store(true)
		pass(200 * time.Millisecond)
		if s.next.Load() {
			t.Fatal("nobody looked")
		}
		if err := r.store.SetPaused(ctx, driver.PausableLane("A"), true, "ann"); err != nil {
			t.Fatal(err)
		}
		pass(time.Second) // the other loop has looked
		r.writeCold(ctx, event("A", 1))
		pass(3 * time.Second)
		if n := r.seen.times("A-00001"); n != 0 {
			t.Errorf("it ran %d times during the pause", n)
		}
	})
}
