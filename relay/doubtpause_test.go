package relay_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Outcomes that are given up one after the other are samples, too.
func TestSamplesThatAreGivenUpHaveTheirPause(t *testing.T) {
	const works, isDown, refuses = 0, 1, 2
	bubble(t, everySecond, recordA, func(ctx context.Context, r *rig) {
		var mode, sent atomic.Int64
		r.over(r.settling(func(context.Context, []driver.Outcome) error {
			sent.Add(1)
			return []error{works: nil, isDown: outbox.ErrStoreDown, refuses: errRefused}[mode.Load()]
		}), everySecond)
		r.run()
		mode.Store(isDown)
		r.write(ctx, events("A", 100)...)
		pass(60 * time.Millisecond)
		mode.Store(refuses)
		for i := range 200 {
			sent.Store(0)
			pass(time.Second)
			if n := sent.Load(); n > 25 {
				t.Errorf("%d statements in second %d", n, i)
			}
		}
	})
}
