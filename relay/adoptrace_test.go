package relay_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay"
)

// dozing is a retry policy that takes long when it is first asked.
type dozing struct{ asked atomic.Int64 }

func (p *dozing) Delay(int) time.Duration {
	if p.asked.Add(1) == 1 {
		<-time.After(2 * time.Second)
	}
	return time.Second
}

// A run is given up, which asks the policy. Meanwhile it ends, its outcome is stale, and
// is written under a newer claim. The race detector looks at what both use.
func TestARunThatIsGivenUpMayEndAndBeWrittenUnderANewerClaim(t *testing.T) {
	cfg := relay.Config{
		Lease: 600 * time.Millisecond, HeadStart: 600 * time.Millisecond, DrainTimeout: time.Second,
		Lane: relay.LaneConfig{Interval: 50 * time.Millisecond, Timeout: 800 * time.Millisecond, Retry: &dozing{}, DeliverBatch: 10, Workers: 2},
	}
	var calls, stale atomic.Int64
	bubble(t, cfg, func(r *rig) {
		r.reg.HandleBatch("A", func(_ context.Context, es []outbox.Event) []error {
			if calls.Add(1) == 1 {
				<-time.After(2300 * time.Millisecond)
			}
			return make([]error, len(es))
		})
	}, func(ctx context.Context, r *rig) {
		s := &wrapped{Store: r.store}
		s.renew = func(context.Context, driver.Owner, time.Duration, []driver.Renewal) ([]driver.Held, error) {
			return nil, errBoom
		}
		s.settle = func(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) ([]driver.Held, error) {
			some, err := r.store.Settle(ctx, owner, outcomes, keep)
			stale.Add(int64(len(some)))
			return some, err
		}
		r.over(s, cfg)
		r.writeCold(ctx, events("A", 3)...)
		r.run()
		pass(5 * time.Second)
		if stale.Load() == 0 {
			t.Error("no outcome was stale: this test shows nothing")
		}
	})
}
