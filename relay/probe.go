package relay

import (
	"context"
	"sync"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// probeLoop probes unavailable destinations independently: with their own check
// or, without one, with a single event.
type probeLoop struct {
	steps  *stepper
	wake   wakeup
	checks *checks
}

func (l *probeLoop) run(ctx context.Context) {
	var probes sync.WaitGroup
	defer probes.Wait()
	for {
		due, wait := l.due()
		for _, b := range due {
			probes.Go(func() { l.probe(ctx, b) })
		}
		if !pause(ctx, wait, l.wake) {
			return
		}
	}
}

// once runs the probes that are due, concurrently, and returns.
func (l *probeLoop) once(ctx context.Context) {
	var probes sync.WaitGroup
	due, _ := l.due()
	for _, b := range due {
		probes.Go(func() { l.probe(ctx, b) })
	}
	probes.Wait()
}

func (l *probeLoop) due() (due []*core.Breaker, wait time.Duration) {
	l.steps.step(func(c *core.Core) { due, wait = c.Dests.Due() })
	return due, wait
}

func (l *probeLoop) probe(ctx context.Context, b *core.Breaker) {
	err := l.checks.check(ctx, b, b.Target.(driver.Destination))
	l.steps.step(func(c *core.Core) { c.Dests.Probed(b, err) })
}
