package relay

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox/relay/core"
)

// expireLoop releases the slots of transactions that outlast the head start.
type expireLoop struct {
	every time.Duration
	steps *stepper
}

func (l *expireLoop) run(ctx context.Context) {
	for pause(ctx, l.every, nil) {
		l.steps.step(func(c *core.Core) { c.Hot.Expire() })
	}
}
