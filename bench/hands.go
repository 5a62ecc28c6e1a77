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
	return together(hands, func(hand int) (more bool, err error) {
		to := int(next.Add(int64(batch)))
		if to-batch >= n {
			return false, nil
		}
		return true, do(ctx, hand, to-batch, min(to, n))
	})
}

// together lets several hands repeat a step until there is no more to do, and
// says how long that took. The first error ends it for all.
func together(hands int, step func(hand int) (more bool, err error)) (time.Duration, error) {
	var failed atomic.Bool
	var all sync.WaitGroup
	errs := make([]error, hands)
	start := time.Now()
	for hand := range hands {
		all.Go(func() {
			for more := true; more && !failed.Load(); {
				if more, errs[hand] = step(hand); errs[hand] != nil {
					failed.Store(true)
				}
			}
		})
	}
	all.Wait()
	return time.Since(start), errors.Join(errs...)
}
