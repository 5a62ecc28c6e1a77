package inbox

import (
	"context"

	"github.com/sendoff-go/outbox"
)

// Listener turns a handler into a listener for a relay in this process, so that
// an event has its effect once although the relay may deliver it again. The
// effect is in the ledger's database.
//
//	reg.Handle("OrderPlaced", consumer.Listener(func(ctx context.Context, tx *sql.Tx, e outbox.Event) error { ... }))
func (c *Consumer[Tx]) Listener(handle func(ctx context.Context, tx Tx, e outbox.Event) error) outbox.Listener {
	return func(ctx context.Context, e outbox.Event) error {
		return c.Consume(ctx, e.Received(), func(ctx context.Context, tx Tx) error { return handle(ctx, tx, e) })
	}
}
