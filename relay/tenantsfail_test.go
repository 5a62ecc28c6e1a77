package relay_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/memstore"
)

// listless cannot list the tenants of a lane in the time it has.
type listless struct{ *memstore.Store }

func (s listless) Tenants(ctx context.Context, _, _ string, _ int) ([]driver.WaitingTenant, error) {
	select {
	case <-time.After(5 * time.Second):
		return nil, errors.Join(outbox.ErrStoreDown, context.DeadlineExceeded)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func TestALaneWhoseTenantsCannotBeListedStopsNoOther(t *testing.T) {
	w := newWaits()
	cfg := relay.Config{Lanes: map[string]relay.LaneConfig{"A": fairLane(true)}, Lane: relay.LaneConfig{Interval: time.Second}}
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("A", w.handle(0))
		r.reg.Handle("B", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
	}, func(ctx context.Context, r *rig) {
		r.over(listless{r.store}, cfg)
		r.writeCold(ctx, w.tenant("big", 0, 600)...)
		r.run()
		pass(10 * time.Second)
		for i := range 60 {
			r.writeCold(ctx, event("B", i))
			pass(time.Second)
		}
		pass(10 * time.Second)
		if n := len(r.seen.order()); n != 60 {
			t.Errorf("%d of 60 events of another lane are delivered", n)
		}
		if n, _ := w.of("big"); n != 600 {
			t.Errorf("%d of 600 events of the lane itself", n)
		}
	})
}
