package outbox

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox/internal/inner"
)

// Delivery is what a receiver may want to know in addition to the event.
type Delivery struct {
	// EventID is the event that was delivered; it may be empty where only one
	// can be meant.
	EventID string
	// Attempt is 1 for the first attempt.
	Attempt int
	// Seq is the position of the row. It stays the same however often the event
	// is tried; a replay from the dead letters is a new row with a new Seq.
	Seq int64
	// Hot is true if the event came from memory right after its commit.
	Hot bool
	// CreatedAt is the database's time of the INSERT; zero on the hot path.
	CreatedAt time.Time
	// Target is the destination; nil if the sender has none.
	Target *Target
}

// DeliveryFrom returns the delivery that the context of a listener or an
// [Interceptor] carries. For a batch listener it is that of the first event; use
// [DeliveryOf] for the others.
func DeliveryFrom(ctx context.Context) (Delivery, bool) {
	if ds := deliveries(ctx); len(ds) > 0 {
		return ds[0], true
	}
	return Delivery{}, false
}

// DeliveryOf returns the delivery of one event of a batch. A sink finds it in
// the [Message].
func DeliveryOf(ctx context.Context, eventID string) (Delivery, bool) {
	for _, d := range deliveries(ctx) {
		if d.EventID == eventID {
			return d, true
		}
	}
	return Delivery{}, false
}

func deliveries(ctx context.Context) []Delivery {
	if ds, ok := ctx.Value(inner.Deliveries{}).(*[]Delivery); ok {
		return *ds
	}
	return nil
}

// nextDelivery returns the delivery of an event, and the deliveries left for
// the events after it: a batch has the order of its deliveries, but may lack
// some.
func nextDelivery(ds []Delivery, eventID string) (Delivery, []Delivery) {
	for i := range ds {
		if ds[i].EventID == eventID {
			return ds[i], ds[i+1:]
		}
	}
	return Delivery{}, ds
}
