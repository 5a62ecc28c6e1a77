package main

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// inHands lets several hands do n things, a batch at a time, from one number up
// to, and without, another, and says how long that took. The first error ends
// it.
func inHands(ctx context.Context, hands, n, batch int, do func(ctx context.Context, hand, from, to int) error) (time.Duration, error) {
	var next atomic.Int64
	var failed atomic.Bool
	var all sync.WaitGroup
	errs := make([]error, hands)
	start := time.Now()
	for hand := range hands {
		all.Go(func() {
			for !failed.Load() {
				to := int(next.Add(int64(batch)))
				if to-batch >= n {
					return
				}
				if errs[hand] = do(ctx, hand, to-batch, min(to, n)); errs[hand] != nil {
					failed.Store(true)
				}
			}
		})
	}
	all.Wait()
	return time.Since(start), errors.Join(errs...)
}
