package relay

import (
	"context"
	"log/slog"
	"time"
)

// diedLoop calls [Config.Died], one last time with the deaths of the last settle.
type diedLoop struct {
	died   func(context.Context, []Death) error
	deaths *deaths
	grace  time.Duration // for a call that runs at a shutdown
	log    *slog.Logger

	last *diedCall // the call that has not returned, which an earlier run may have made; nil: none
}

// diedCall is a call of Died.
type diedCall struct {
	events int
	began  time.Time
	end    context.CancelFunc // of its context
	done   chan error
	late   bool // it has had its time to return
}

func (l *diedLoop) run(ctx context.Context) {
	for l.returns(ctx) {
		if !l.call(ctx) && !pause(ctx, time.Hour, l.deaths.wake) {
			if l.call(ctx) {
				l.returns(ctx)
			}
			return
		}
	}
}

// call begins a call of Died, if there is something to tell.
func (l *diedLoop) call(ctx context.Context) bool {
	some, lost := l.deaths.take()
	if lost > 0 {
		l.log.Error("outbox: Died is too slow and was not called for some dead letters", "events", lost)
	}
	if len(some) == 0 {
		return false
	}
	own, end := context.WithCancel(context.WithoutCancel(ctx))
	c := &diedCall{events: len(some), began: time.Now(), end: end, done: make(chan error, 1)}
	l.last = c
	go func() {
		err := errGoexit // unless it returns
		defer func() {
			if v := recover(); v != nil {
				err = newPanic(v)
			}
			c.done <- err
		}()
		err = l.died(own, some)
	}()
	return true
}

// returns waits until Died has returned, and reports false if the relay ends before
// that.
func (l *diedLoop) returns(ctx context.Context) bool {
	c := l.last
	if c == nil {
		return true
	}
	defer c.end()
	var err error
	select {
	case err = <-c.done:
	case <-ctx.Done():
		if c.late {
			return false
		}
		grace := time.NewTimer(l.grace)
		defer grace.Stop()
		select {
		case err = <-c.done:
		case <-grace.C:
			c.late = true
			l.log.Error("outbox: Died did not return within the drain timeout", "events", c.events, "running", time.Since(c.began))
			return false
		}
	}
	l.last = nil
	if err != nil {
		l.log.Error("outbox: Died failed; the dead letters stay as they are", "events", c.events, "error", err)
	}
	return true
}
