package relay_test

import (
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/relay"
)

// Two transactions of one key; the later one is refused a hot place while the
// earlier one is open.
func TestARefusalDoesNotDelayWhatWasWrittenBefore(t *testing.T) {
	cfg := relay.Config{Lane: relay.LaneConfig{Workers: 1, HotQueue: 1, Interval: 5 * time.Second}}
	bubble(t, cfg, recordA, func(ctx context.Context, r *rig) {
		r.run()
		es := ofAggregate("o", events("A", 2)...)
		tctx, tx, done := r.begin(ctx)
		r.writeIn(tctx, tx, es[0]) // has the only hot place
		r.write(ctx, es[1])        // has none
		if err := done(tx.Commit()); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		for r.seen.times("A-00000") == 0 && time.Since(start) < time.Minute {
			pass(10 * time.Millisecond)
		}
		if d := time.Since(start); d > 4*time.Second {
			t.Errorf("an event that was admitted and committed at once came after %s", d)
		}
	})
}
