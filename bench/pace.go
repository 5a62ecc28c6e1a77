package main

import (
	"context"
	"errors"
	"sync"
	"time"
)

// paceHands is the number of goroutines that write, so that one slow
// transaction does not delay the next ones.
const paceHands = 8

// pace calls do with 0, 1, ... n-1 by a timetable of perSecond calls, and
// returns when all have ended. The timetable does not wait: what a hand could
// not begin in time is begun as soon as one is free.
func pace(ctx context.Context, n int, perSecond float64, do func(ctx context.Context, n int) error) error {
	numbers := make(chan int)
	var hands sync.WaitGroup
	errs := make([]error, paceHands)
	for i := range errs {
		hands.Go(func() {
			for n := range numbers {
				if err := do(ctx, n); err != nil && errs[i] == nil {
					errs[i] = err
				}
			}
		})
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	start := time.Now()
	for i := 0; i < n && ctx.Err() == nil; i++ {
		timer.Reset(time.Until(start.Add(time.Duration(float64(i) / perSecond * float64(time.Second)))))
		<-timer.C
		numbers <- i
	}
	close(numbers)
	hands.Wait()
	return errors.Join(errors.Join(errs...), ctx.Err())
}
