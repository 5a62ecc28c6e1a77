//go:build !race

package relay_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay"
)

// One statement gets through each minute. Each shows that the database is back, and what
// then fails looks as if it alone were to blame.
func TestAnOutageThatIsInterruptedAgainAndAgainDoesNotMultiplyStatements(t *testing.T) {
	for _, c := range []struct{ batch, waiting int }{{1, 100}, {10, 500}, {1000, 500}} {
		t.Run(fmt.Sprintf("%d wait, at most %d in a statement", c.waiting, c.batch), func(t *testing.T) {
			cfg := relay.Config{SettleBatch: c.batch}
			bubble(t, cfg, recordA, func(ctx context.Context, r *rig) {
				var sent, through atomic.Int64
				r.over(r.settling(func(context.Context, []driver.Outcome) error {
					if sent.Add(1); through.Add(-1) >= 0 {
						return nil
					}
					return outbox.ErrStoreDown
				}), cfg)
				r.run()
				r.write(ctx, events("A", c.waiting)...)
				pass(time.Second)
				for i := range 20 {
					sent.Store(0)
					through.Store(1)
					pass(time.Minute)
					if n := sent.Load(); n > 90 {
						r.t.Fatalf("%d statements within minute %d of an outage", n, i+1)
					}
				}
				through.Store(1 << 40)
				pass(time.Minute)
				if n := r.stats(ctx).Done.N; n != int64(c.waiting) {
					t.Errorf("%d of %d events are settled after the outage", n, c.waiting)
				}
				r.wantOnce("")
			})
		})
	}
}
