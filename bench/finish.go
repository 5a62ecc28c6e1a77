package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/sendoff-go/outbox/observe"
)

// finishLine is crossed when the last of n events is settled: not when the
// listener had it, since a delivery that is not settled would be repeated.
type finishLine struct {
	mu      sync.Mutex
	n, sum  int
	crossed time.Time
	done    chan struct{}
}

func newFinishLine(n int) *finishLine { return &finishLine{n: n, done: make(chan struct{})} }

// add notes that k more events are settled.
func (f *finishLine) add(k int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sum += k
	f.check()
}

// settled is the hook of a relay.
func (f *finishLine) settled(info observe.StatementInfo) {
	if info.Err == nil {
		f.add(info.Rows - info.Stale)
	}
}

// end sets the number of events where it is known only afterwards.
func (f *finishLine) end(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.n = n
	f.check()
}

func (f *finishLine) check() {
	if f.n >= 0 && f.sum >= f.n && f.crossed.IsZero() {
		f.crossed = time.Now()
		close(f.done)
	}
}

func (f *finishLine) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.sum
}

// wait returns when the line is crossed, or an error that says how far it got.
func (f *finishLine) wait(ctx context.Context) error {
	select {
	case <-f.done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("only %d of %d events were settled: %w", f.count(), f.n, context.Cause(ctx))
	}
}

// since is the time from start to the crossing.
func (f *finishLine) since(start time.Time) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.crossed.Sub(start)
}
