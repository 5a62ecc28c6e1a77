package backoff

import (
	"context"
	"math/rand/v2"
	"time"
)

// Pause waits about 4 ms before the first repetition and twice as long before
// each further one. It returns false if ctx ended.
func Pause(ctx context.Context, n int) bool {
	d := 2 * time.Millisecond << n
	return Wait(ctx, d/2+rand.N(d))
}

// Wait waits, and returns false if ctx ended.
func Wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}
