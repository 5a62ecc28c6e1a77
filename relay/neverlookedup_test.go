package relay_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/outboxtest"
)

// The row of the first one must be looked up, and no look-up gets an answer as long as
// its head start lasts.
func TestAnEventDoesNotOvertakeOneThatCouldNotBeLookedUp(t *testing.T) {
	for name, later := range map[string]bool{"of its transaction": false, "of an earlier transaction": true} {
		t.Run(name, func(t *testing.T) {
			bubble(t, everySecond, recordA, func(ctx context.Context, r *rig) {
				f := r.flaky(everySecond)
				f.Plan(func(op outboxtest.Op, _ int) outboxtest.Fault {
					if op == outboxtest.OpConfirm {
						return outboxtest.Refuse
					}
					return outboxtest.None
				})
				r.w = outbox.NewWriter(released{r.store}, r.relay.HotPath(), outbox.WithLogger(quietLog()))
				r.run()
				first, second := ofAggregate("o", event("A", 1))[0], ofAggregate("o", event("A", 2))[0]
				first.Headers = map[string]string{"savepoint": "s"}
				if later {
					r.write(ctx, first)
					pass(4500 * time.Millisecond)
					r.write(ctx, second)
				} else {
					r.write(ctx, first, second)
				}
				pass(20 * time.Second)
				if got := r.seen.order(); !slices.Equal(got, []string{"A-00001", "A-00002"}) {
					t.Errorf("delivered %v", got)
				}
			})
		})
	}
}
