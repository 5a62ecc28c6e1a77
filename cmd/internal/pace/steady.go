package pace

import (
	"context"
	"sync"
	"time"
)

// Steady calls do with 0, 1, 2, ... at rate calls a second, from several hands
// at once, until count calls were begun (0: no limit) or ctx is done, and
// returns how many were begun once all have ended.
//
// The times are those of a timetable, so a slow call does not slow down those
// after it while a hand is free. If all hands are busy for longer than
// maxBehind, the timetable restarts: missed calls are skipped, not made up for in
// a rush.
func Steady(ctx context.Context, rate float64, count, hands int, do func(ctx context.Context, n int)) int {
	var work sync.WaitGroup
	numbers := make(chan int)
	// What was begun is finished: a call sees the caller's values, not its end.
	callCtx := context.WithoutCancel(ctx)
	for range max(hands, 1) {
		work.Go(func() {
			for n := range numbers {
				do(callCtx, n)
			}
		})
	}
	begun := hand(ctx, rate, count, numbers)
	close(numbers)
	work.Wait()
	return begun
}

const maxBehind = time.Second

// hand gives out numbers by the timetable.
func hand(ctx context.Context, rate float64, count int, numbers chan<- int) int {
	gap := time.Duration(float64(time.Second) / rate)
	due := time.Now()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for n := 0; count == 0 || n < count; n++ {
		timer.Reset(time.Until(due))
		select {
		case <-timer.C:
		case <-ctx.Done():
			return n
		}
		select {
		case numbers <- n:
		case <-ctx.Done():
			return n
		}
		due = due.Add(gap)
		if time.Since(due) > maxBehind {
			due = time.Now()
		}
	}
	return count
}
