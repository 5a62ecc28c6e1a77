//go:build !race

package relay_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/relay"
)

// Law 7. What may be unsettled is shared, and the types whose outcomes cannot be written
// leave a part of it to the others, however many they are.
func TestManyTypesWhoseOutcomesCannotBeWrittenStopNoOther(t *testing.T) {
	for _, c := range []struct{ most, types, each int }{
		{50, 3, 60}, {50, 6, 60}, {10, 1, 30}, {1000, 8, 300}, {4, 1, 30}, {2, 1, 30},
	} {
		t.Run(fmt.Sprintf("%d of %d types, at most %d", c.each, c.types, c.most), func(t *testing.T) {
			manyBad(t, c.most, c.types, func(int) int { return c.each })
		})
	}
	t.Run("the defaults", func(t *testing.T) {
		manyBad(t, 0, 13, func(i int) int { return 6000 >> i })
	})
}

func manyBad(t *testing.T, most, types int, each func(i int) int) {
	cfg := relay.Config{MaxUnsettled: most, Lane: relay.LaneConfig{Interval: time.Second}}
	bubble(t, cfg, badTypesAndGood(types), func(ctx context.Context, r *rig) {
		var sent atomic.Int64
		r.over(r.brokenBy(&sent), cfg)
		r.run()
		for i := range types {
			r.writeCold(ctx, events(badType(i), each(i))...)
			pass(5 * time.Second)
		}
		r.write(ctx, events("B", 20)...)
		pass(30 * time.Second)
		if n := r.stats(ctx).Done.N; n != 20 {
			t.Errorf("%d of 20 others are settled", n)
		}
		r.wantOnce("")
	})
}
