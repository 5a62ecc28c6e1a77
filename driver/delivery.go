package driver

import (
	"context"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/inner"
)

// ContextWithDeliveries is how a relay tells a receiver about the deliveries of
// a batch, or of the one event, in the order in which they are handed over. The
// slice must not change after that.
func ContextWithDeliveries(ctx context.Context, ds []outbox.Delivery) context.Context {
	return &delivering{ctx, ds}
}

// delivering is a context of its own because it is made for every run: a value
// in a standard one would take two more allocations.
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
