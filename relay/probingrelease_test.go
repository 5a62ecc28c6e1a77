package relay_test

import (
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay"
)

// hung is a sink that is unavailable, and whose connection check hangs.
type hung struct{}

func (hung) Send(_ context.Context, batch []outbox.Message) []error {
	errs := make([]error, len(batch))
	for i := range errs {
		errs[i] = outbox.Unavailable(errBoom)
	}
	return errs
}

func (hung) Check(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }

// Another destination of the lane is available, so that the lane is claimed from.
func TestRowsAreNotReleasedOverAndOverWhileACheckHangs(t *testing.T) {
	cfg := relay.Config{Lane: relay.LaneConfig{Interval: time.Second}}
	bubble(t, cfg, func(r *rig) {
		r.reg.HandleAggregate("up", "A", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
		r.reg.Route("A", hung{}, outbox.Otherwise())
	}, func(ctx context.Context, r *rig) {
		const n = 1000
		released := 0
		s := &wrapped{Store: r.store}
		s.settle = func(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) ([]driver.Held, error) {
			for _, o := range outcomes {
				if o.Kind == driver.Release {
					released++
				}
			}
			return r.store.Settle(ctx, owner, outcomes, keep)
		}
		r.over(s, cfg)
		es := events("A", n)
		for i := range es {
			es[i].AggregateType = "down"
		}
		r.writeCold(ctx, es...)
		r.run()
		pass(time.Minute)
		if each := released / n; each > 50 {
			t.Errorf("%d releases of each event in a minute", each)
		}
	})
}
