package main

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// hurry lets several writers call do with 0, 1, ... as fast as they can, and
// returns how many calls there were and how long they took. The first error
// ends it.
func hurry(ctx context.Context, writers int, d time.Duration, do func(ctx context.Context, n int) error) (int, time.Duration, error) {
	var next atomic.Int64
	var failed atomic.Bool
	var hands sync.WaitGroup
	errs := make([]error, writers)
	start := time.Now()
	for i := range errs {
		hands.Go(func() {
			for time.Since(start) < d && !failed.Load() {
				if errs[i] = do(ctx, int(next.Add(1)-1)); errs[i] != nil {
					failed.Store(true)
				}
			}
		})
	}
	hands.Wait()
	return int(next.Load()), time.Since(start), errors.Join(errs...)
}
