package relay

import (
	"context"
	"time"
)

// lookLoop checks at intervals which lanes wait, and what is paused.
type lookLoop struct {
	every   time.Duration
	paused  *pausedLoop
	waiting *waiting
	reports *reporter
}

func (l *lookLoop) run(ctx context.Context) {
	for {
		l.reports.report(ctx, doingLook, l.look(ctx))
		if !pause(ctx, l.every, nil) {
			return
		}
	}
}

// look notes what is paused and which lanes wait.
func (l *lookLoop) look(ctx context.Context) error {
	if err := l.paused.look(ctx); err != nil {
		return err
	}
	return l.waiting.look(ctx)
}
