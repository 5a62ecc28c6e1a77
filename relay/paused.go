package relay

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// pausedLoop checks what is paused more often than lookLoop does, which reports
// what goes wrong.
type pausedLoop struct {
	store    driver.ControlStore // nil if nothing can be paused
	steps    *stepper
	begun    atomic.Int64 // looks
	answered int64        // the latest look that was; used only in steps
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
// events. Two loops call it, and an answer that comes after that of a later look
// counts no more.
func (l *pausedLoop) look(ctx context.Context) error {
	if l.store == nil {
		return nil
	}
	n := l.begun.Add(1)
	all, err := l.store.Paused(ctx)
	if err != nil {
		return err
	}
	p := core.Paused{Lanes: driver.Pauses(all, driver.LanePause), Dests: driver.Pauses(all, driver.DestinationPause)}
	l.steps.step(func(c *core.Core) {
		if n > l.answered {
			l.answered = n
			c.Pause(p)
		}
	})
	return nil
}
