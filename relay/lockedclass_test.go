//go:build !race

package relay_test

import (
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Somebody has locked the table of dead letters, and the row of an event that died. The
// answer that names the row shows nothing of the table.
func TestALockedRowDoesNotMakeOutcomesThatCannotBeWrittenHoldUpOthers(t *testing.T) {
	for name, c := range map[string]struct {
		err   error
		after time.Duration
	}{
		"they take too long":      {context.DeadlineExceeded, 5 * time.Second},
		"they end the connection": {outbox.ErrStoreDown, time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, everySecond, deadAndGood, func(ctx context.Context, r *rig) {
				s := &wrapped{Store: r.store}
				s.settle = func(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) (stale []driver.Held, err error) {
					var free []driver.Outcome
					var locked []driver.Held
					dead := false
					for _, o := range outcomes {
						if o.EventID == "A-00003" {
							locked = append(locked, o.Held)
							continue
						}
						free = append(free, o)
						dead = dead || o.Kind == driver.Dead
					}
					if dead {
						return nil, failAfter(ctx, c.after, c.err)
					}
					if len(free) > 0 {
						stale, err = r.store.Settle(ctx, owner, free, keep)
					}
					if err == nil && len(locked) > 0 {
						err = &driver.LockedError{Rows: locked}
					}
					return stale, err
				}
				r.over(s, everySecond)
				r.run()
				late := 0
				for i := range 600 {
					r.write(ctx, event("A", i))
					for j := range 10 {
						r.write(ctx, event("B", 10*i+j))
						pass(100 * time.Millisecond)
					}
					late = max(late, 10*(i+1)-int(r.stats(ctx).Done.N))
				}
				if late > 200 {
					t.Errorf("%d others, which come within %d s, waited to be written", late, late/10)
				}
			})
		})
	}
}
