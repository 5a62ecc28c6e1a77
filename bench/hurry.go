package main

import (
	"context"
	"sync/atomic"
	"time"
)

// hurry lets several writers call do with 0, 1, ... as fast as they can, and
// returns how many calls there were and how long they took. The first error
// ends it.
func hurry(ctx context.Context, writers int, d time.Duration, do func(ctx context.Context, n int) error) (int, time.Duration, error) {
	var next atomic.Int64
	end := time.Now().Add(d)
	took, err := together(writers, func(int) (more bool, err error) {
		if !time.Now().Before(end) {
			return false, nil
		}
		return true, do(ctx, int(next.Add(1)-1))
	})
	return int(next.Load()), took, err
}
