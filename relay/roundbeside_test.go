package relay_test

import (
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay"
)

// besideHot calls f while events of type B are written, which the round delivers as they
// come: that they go well says nothing about the others.
func (r *rig) besideHot(ctx context.Context, f func()) {
	r.t.Helper()
	ended, writing := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(writing)
		for i := 0; ; i++ {
			select {
			case <-ended:
				return
			case <-time.After(100 * time.Millisecond):
				r.write(ctx, event("B", i))
			}
		}
	}()
	f()
	close(ended)
	<-writing
	if n := len(r.seen.order()); n < 40 {
		r.t.Errorf("%d hot events were delivered meanwhile", n)
	}
}

func TestARoundGivesUpAlthoughHotEventsAreWrittenBesideIt(t *testing.T) {
	cfg := relay.Config{MaxUnsettled: 10, Lane: relay.LaneConfig{Interval: time.Second}}
	for name, prepare := range map[string]func(context.Context, *rig) *wrapped{
		"the history of a suspect cannot be written": func(ctx context.Context, r *rig) *wrapped {
			r.writeCold(ctx, event("A", 1))
			r.diesWith(ctx, 3)
			return r.failingFor(driver.Release, outbox.ErrStoreDown, 0)
		},
		"the attempt of a suspect cannot be written": func(ctx context.Context, r *rig) *wrapped {
			r.writeCold(ctx, event("A", 1))
			r.diesWith(ctx, 3)
			s := r.failingFor(driver.Release, outbox.ErrStoreDown, 0)
			s.renew = func(ctx context.Context, o driver.Owner, d time.Duration, rs []driver.Renewal) ([]driver.Held, error) {
				if len(rs) == 1 && rs[0].EventID == "A-00001" {
					return nil, outbox.ErrStoreDown
				}
				return r.store.Renew(ctx, o, d, rs)
			}
			return s
		},
		"more die than may be unsettled": func(ctx context.Context, r *rig) *wrapped {
			r.writeCold(ctx, events("A", 100)...)
			return r.failingFor(driver.Dead, outbox.ErrStoreDown, 0)
		},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, cfg, deadAndGood, func(ctx context.Context, r *rig) {
				r.over(prepare(ctx, r), cfg)
				r.besideHot(ctx, func() { r.unsettledRound(ctx) })
			})
		})
	}
}
