package inbox

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/backoff"
	"github.com/sendoff-go/outbox/observe"
)

// Run removes ids of the group past their retention until ctx ends, and then
// returns nil. It may run in every instance: one at a time does the work.
// Without it ids are kept until something else removes them.
//
// Where the dead letters are in the ledger's database as well, it warns about
// those that are older than the retention of ids.
func (c *Consumer[Tx]) Run(ctx context.Context) error {
	if c.config.KeepForever {
		<-ctx.Done()
		return nil
	}
	var looked time.Time
	for {
		if _, err := c.Clean(ctx); err != nil && ctx.Err() == nil {
			c.loopError("forget", err)
		}
		if looked.IsZero() || time.Since(looked) >= lookInterval {
			looked = time.Now()
			c.lookAtDeadLetters(ctx)
		}
		if !backoff.Wait(ctx, c.config.CleanInterval) {
			return nil
		}
	}
}

// Clean removes, batch by batch, the ids that are past their retention now, and
// returns how many. With KeepForever it does nothing.
func (c *Consumer[Tx]) Clean(ctx context.Context) (int, error) {
	forgotten := 0
	for !c.config.KeepForever {
		start := time.Now()
		n, err := c.ledger.Forget(ctx, c.config.Group, c.config.Retention, c.config.CleanBatch)
		if err != nil {
			return forgotten, err
		}
		forgotten += n
		c.tell(c.config.Hooks.Forgotten, n, start, nil)
		if n < c.config.CleanBatch {
			break
		}
	}
	return forgotten, nil
}

func (c *Consumer[Tx]) loopError(loop string, err error) {
	c.config.Logger.Error("inbox: "+loop+" failed, will try again", "group", c.config.Group, "error", err)
	if c.config.Hooks.LoopError != nil {
		c.config.Hooks.LoopError(observe.LoopErrorInfo{Loop: loop, Err: err})
	}
}

// lookInterval is how often dead letters are checked.
const lookInterval = time.Hour

// lookAtDeadLetters warns about letters whose events the group may have had and
// forgotten. The event of a letter may have been delivered with only its answer
// lost.
func (c *Consumer[Tx]) lookAtDeadLetters(ctx context.Context) {
	letters, ok := c.ledger.(driver.DeadLetterStore)
	if !ok {
		return
	}
	old, err := letters.CountDead(ctx, driver.DeadFilter{DiedBefore: time.Now().Add(-c.config.Retention)})
	if err != nil || old.N == 0 {
		return // a consumer may lack the permission to read them
	}
	c.config.Logger.Warn("inbox: dead letters are older than the retention of consumed ids, so a replay may have its effect again: resolve them, or raise Retention",
		"group", c.config.Group, "retention", c.config.Retention, "letters", old.N)
}
