package inbox

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox"
)

// ConsumeIn notes in the caller's transaction that the group has had the event,
// and reports whether it is new. If it is, the caller makes its effect in the
// same transaction; if not, there is nothing to do:
//
//	fresh, err := consumer.ConsumeIn(ctx, tx, message)
//	if err != nil || !fresh {
//		return err
//	}
//
// After an error, roll back the transaction; after [outbox.ErrConflict], which
// a transaction with a stricter isolation level than READ COMMITTED may get,
// begin again. With a cache, see [Consumer.Track].
func (c *Consumer[Tx]) ConsumeIn(ctx context.Context, tx Tx, m outbox.Received) (fresh bool, err error) {
	left, err := c.ConsumeBatchIn(ctx, tx, []outbox.Received{m})
	return len(left) > 0, err
}

// ConsumeBatchIn is [Consumer.ConsumeIn] for many messages. It returns those
// that are new, in their order, each once.
func (c *Consumer[Tx]) ConsumeBatchIn(ctx context.Context, tx Tx, ms []outbox.Received) (fresh []outbox.Received, err error) {
	start := time.Now()
	items, err := c.accept(ctx, ms)
	if err == nil && len(items) > 0 {
		items, err = c.record(ctx, tx, items)
	}
	if err != nil {
		c.tell(c.config.Hooks.ConsumeFailed, len(ms), start, err)
		return nil, err
	}
	c.tell(c.config.Hooks.Duplicated, len(ms)-len(items), start, nil)
	if !c.track(ctx, tx, ids(items), start) {
		c.tell(c.config.Hooks.Consumed, len(items), start, nil)
	}
	return messages(items), nil
}
