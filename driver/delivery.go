package driver

import (
	"context"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/inner"
)

// ContextWithDeliveries is how a relay tells a receiver about the deliveries of
// a batch, or of the one event, in the order of delivery. The slice must not
// change after that.
func ContextWithDeliveries(ctx context.Context, ds []outbox.Delivery) context.Context {
	return &delivering{ctx, ds}
}

// delivering is its own context because it is made for every run:
// context.WithValue would take two more allocations.
type delivering struct {
	context.Context
	ds []outbox.Delivery
}

// Value implements [context.Context].
func (d *delivering) Value(key any) any {
	if key == (inner.Deliveries{}) {
		return &d.ds
	}
	return d.Context.Value(key)
}
