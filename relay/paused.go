package relay

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// pausedLoop checks what is paused more often than lookLoop does, which reports
// what goes wrong.
type pausedLoop struct {
	store driver.ControlStore // nil if nothing can be paused
	steps *stepper
}

// pausedInterval is the pause between two looks at what is paused: a person who
// pauses a type expects to see it at once.
const pausedInterval = 1250 * time.Millisecond

func (l *pausedLoop) run(ctx context.Context) {
	for pause(ctx, pausedInterval, nil) {
		_ = l.look(ctx)
	}
}

// firstLook bounds the look before the start.
const firstLook = 2 * time.Second

// lookBefore reads what is paused before anything runs: a relay that starts
// during a pause must not deliver anything before its first look. Without an
// answer the relay starts anyway, since the database may be down for long.
func (l *pausedLoop) lookBefore(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, firstLook)
	defer cancel()
	_ = l.look(ctx)
}

// look pauses and resumes lanes and destinations. It releases their queued
// events. Two loops call it.
func (l *pausedLoop) look(ctx context.Context) error {
	if l.store == nil {
		return nil
	}
	asked := time.Now()
	all, err := l.store.Paused(ctx)
	if err != nil {
		return err
	}
	p := core.Paused{Lanes: driver.Pauses(all, driver.LanePause), Dests: driver.Pauses(all, driver.DestinationPause), Asked: asked}
	l.steps.step(func(c *core.Core) { c.Pause(p) })
	return nil
}
