//go:build !race

package relay_test

import (
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay"
)

// At the bound each type may have one more, and no batch.
func TestBatchesDoNotExceedTheBoundOfUnsettledOutcomes(t *testing.T) {
	const types, each, most = 40, 400, 100
	cfg := relay.Config{MaxUnsettled: most, Lane: relay.LaneConfig{Interval: time.Second}}
	bubble(t, cfg, func(r *rig) {
		for i := range types {
			r.reg.HandleBatch(badType(i), func(_ context.Context, es []outbox.Event) []error {
				errs := make([]error, len(es))
				for i, e := range es {
					r.seen.note(e)
					errs[i] = outbox.Permanent(errBoom)
				}
				return errs
			})
		}
	}, func(ctx context.Context, r *rig) {
		r.over(r.failingFor(driver.Dead, outbox.ErrStoreDown, 0), cfg)
		r.run()
		for i := range types {
			r.write(ctx, events(badType(i), each)...)
			pass(5 * time.Second)
		}
		if n := len(r.seen.order()); n < most || n > most+types {
			t.Errorf("%d outcomes are not written, with a bound of %d and one for each of %d types", n, most, types)
		}
	})
}
