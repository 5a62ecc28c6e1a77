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
}

func (l *diedLoop) run(ctx context.Context) {
	for {
		some, lost := l.deaths.take()
		if lost > 0 {
			l.log.Error("outbox: Died is too slow and was not called for some dead letters", "events", lost)
		}
		if len(some) > 0 {
			if !l.tell(ctx, some) {
				return
			}
			continue
		}
		if !pause(ctx, time.Hour, l.deaths.wake) {
			if some, _ = l.deaths.take(); len(some) > 0 {
				l.tell(ctx, some)
			}
			return
		}
	}
}

// tell calls Died, and reports false if the relay ends before it returns.
func (l *diedLoop) tell(ctx context.Context, some []Death) bool {
	began := time.Now()
	own, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	done := make(chan error, 1)
	go func() {
		err := errGoexit // unless it returns
		defer func() {
			if v := recover(); v != nil {
				err = newPanic(v)
			}
			done <- err
		}()
		err = l.died(own, some)
	}()
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		grace := time.NewTimer(l.grace)
		defer grace.Stop()
		select {
		case err = <-done:
		case <-grace.C:
			l.log.Error("outbox: Died did not return within the drain timeout", "events", len(some), "running", time.Since(began))
			return false
		}
	}
	if err != nil {
		l.log.Error("outbox: Died failed; the dead letters stay as they are", "events", len(some), "error", err)
	}
	return true
}
