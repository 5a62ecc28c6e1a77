//go:build !race

package relay_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/outboxtest"
	"github.com/sendoff-go/outbox/relay"
)

// statements is how many claims and looks there were since the last plan.
func statements(f *outboxtest.FlakyStore) int {
	return f.Calls(outboxtest.OpClaim) + f.Calls(outboxtest.OpLanes)
}

// The types have work at times of their own, so that their polls are spread
// over the whole interval: it must not take a statement for each of them.
func TestThousandsOfIdleTypesCostAFewStatementsASecond(t *testing.T) {
	const types, perSecond = 5000, 3
	name := func(i int) string { return fmt.Sprintf("type-%04d", i) }
	cfg := relay.Config{} // the interval is 5 s
	bubble(t, cfg, func(r *rig) {
		for i := range types {
			r.reg.Handle(name(i), func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
		}
	}, func(ctx context.Context, r *rig) {
		f := r.flaky(cfg)
		r.run()
		minute := func(when string) {
			t.Helper()
			f.Plan(nil)
			pass(time.Minute)
			if n := statements(f); n > 60*perSecond {
				t.Errorf("%s: %d statements in a minute", when, n)
			}
		}
		minute("at the start")
		for i := range types {
			r.write(ctx, event(name(i*7919%types), 1))
			pass(time.Millisecond)
		}
		minute("after hot events at times of their own")
		for i := 0; i < types; i += 10 {
			r.writeCold(ctx, event(name(i), 2))
			r.relay.Wake(name(i))
			pass(10 * time.Millisecond)
		}
		minute("after cold events at times of their own")
		for i := range 20 { // any of them is found, whenever it comes
			typ := name(i * 251)
			r.writeCold(ctx, event(typ, 3))
			pass(6 * time.Second) // the interval, and a second
			if r.seen.times(event(typ, 3).ID) != 1 {
				t.Fatalf("a row of %s was not found within the interval and a second", typ)
			}
			pass(time.Duration(i) * 137 * time.Millisecond)
		}
		minute("at the end")
	})
}
