package relay

import (
	"context"
	"sync"
	"time"
)

// loop runs until its context ends.
type loop func(ctx context.Context)

// start starts loops, each in its own goroutine.
func start(ctx context.Context, loops []loop) *sync.WaitGroup {
	var g sync.WaitGroup
	for _, run := range loops {
		g.Go(func() { run(ctx) })
	}
	return &g
}

// pause waits for d, or for a signal of w (which may be nil), and reports
// false when ctx is done.
func pause(ctx context.Context, d time.Duration, w wakeup) bool {
	if ctx.Err() != nil {
		return false
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-w:
	case <-ctx.Done():
		return false
	}
	return true
}
