package relay

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// settleLoop writes outcomes in batches. An outcome waits a little for others;
// a statement that fails is repeated, since an outage of the database must
// never turn a delivery into a failure.
type settleLoop struct {
	next    func(*core.Core) (*core.Batch, time.Duration)
	wake    wakeup
	steps   *stepper
	settles *settles
}

// nextSettle is the next batch of the loop that settles.
func nextSettle(c *core.Core) (*core.Batch, time.Duration) {
	return c.Outcomes.Next(false)
}

// nextBeside is the next full batch, of a loop in parallel with that one.
func nextBeside(c *core.Core) (*core.Batch, time.Duration) {
	return c.Outcomes.Next(true)
}

// nextApart is the next batch of outcomes that would hold up others.
func nextApart(c *core.Core) (*core.Batch, time.Duration) {
	return c.Outcomes.NextApart()
}

// run settles until ctx ends. The rest is then left to its leases.
func (l *settleLoop) run(ctx context.Context) {
	var outcomes []core.Outcome // kept, so that a step allocates nothing
	var held []driver.Held
	for ctx.Err() == nil {
		var b *core.Batch
		var wait time.Duration
		outcomes, held = outcomes[:0], held[:0]
		l.steps.step(func(c *core.Core) {
			if b, wait = l.next(c); b == nil {
				return
			}
			for _, it := range b.Items {
				outcomes, held = append(outcomes, it.Outcome()), append(held, it.Held())
			}
		})
		if b == nil {
			pause(ctx, wait, l.wake)
			continue
		}
		answer := l.settles.settle(ctx, b, held, outcomes)
		l.steps.step(func(c *core.Core) {
			c.Outcomes.Settled(b, answer)
		})
		clear(outcomes) // what they point to is written
	}
}
