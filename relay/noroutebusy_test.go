package relay_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// busyCount counts claims and settles.
type busyCount struct {
	driver.Store
	claims, settles int
}

func (s *busyCount) Claim(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
	s.claims++
	<-time.After(5 * time.Millisecond)
	return s.Store.Claim(ctx, req)
}

func (s *busyCount) Settle(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) ([]driver.Held, error) {
	s.settles++
	return s.Store.Settle(ctx, owner, outcomes, keep)
}

// The interceptor needs something that is down, and the event has no destination
// here, so that no breaker keeps it away.
func TestAnEventWithoutADestinationWhoseInterceptorIsUnavailableIsNotClaimedOverAndOver(t *testing.T) {
	cfg := everySecond
	cfg.Interceptors = []outbox.Interceptor{{Before: func(ctx context.Context, _ outbox.Event) (context.Context, error) {
		return ctx, outbox.Unavailable(errors.New("the key server is down"))
	}}}
	bubble(t, cfg, func(r *rig) {
		r.reg.HandleAggregate("order", "A", func(context.Context, outbox.Event) error { return nil })
	}, func(ctx context.Context, r *rig) {
		s := &busyCount{Store: r.store}
		r.over(s, cfg)
		es := events("A", 500)
		for i := range es {
			es[i].AggregateType, es[i].AggregateID = "customer", es[i].ID
		}
		r.writeCold(ctx, es...)
		r.run()
		pass(10 * time.Second)
		if s.claims > 100 {
			t.Errorf("%d claims and %d settles within 10 s of 500 events that wait for the same server", s.claims, s.settles)
		}
	})
}
