package relay

import (
	"context"
	"errors"
	"time"

	"github.com/sendoff-go/outbox"
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

// look notes what is paused and which lanes wait. Those are looked for even if a right
// to read the pauses is missing; in an outage one statement is enough to see it.
func (l *lookLoop) look(ctx context.Context) error {
	err := l.paused.look(ctx)
	if errors.Is(err, outbox.ErrStoreDown) || ctx.Err() != nil {
		return err
	}
	return errors.Join(err, l.waiting.look(ctx))
}
