package relaykit

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/sendoff-go/outbox"
)

// LifeOfAnOrder are the types of an order's events. The names are in no order that a store or a map could give by chance.
var LifeOfAnOrder = []string{"OrderPlaced", "OrderPaid", "OrderShipped", "OrderCancelled"}

// Lives returns orders, each with an event of every type, interleaved.
func Lives(orders int) (es []outbox.Event) {
	for _, typ := range LifeOfAnOrder {
		for i := range orders {
			id := fmt.Sprintf("o-%03d", i)
			es = append(es, outbox.Event{Type: typ, ID: typ + id, AggregateType: "Order", AggregateID: id, JSON: []byte(`{}`)})
		}
	}
	return es
}

// Journal notes the types of each order's events, as they are delivered.
type Journal struct {
	mu   sync.Mutex
	of   map[string][]string
	left int
	All  chan struct{} // closed when every event has arrived
}

// NewJournal registers a listener for each type.
func NewJournal(reg *outbox.Registry, orders int) *Journal {
	j := &Journal{of: map[string][]string{}, left: orders * len(LifeOfAnOrder), All: make(chan struct{})}
	for _, typ := range LifeOfAnOrder {
		reg.Handle(typ, func(_ context.Context, e outbox.Event) error {
			j.mu.Lock()
			defer j.mu.Unlock()
			j.of[e.AggregateID] = append(j.of[e.AggregateID], e.Type)
			if j.left--; j.left == 0 {
				close(j.All)
			}
			return nil
		})
	}
	return j
}

// Check reports what came out of order.
func (j *Journal) Check(t *testing.T, orders int) {
	t.Helper()
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.of) != orders {
		t.Errorf("%d orders were seen, expected %d", len(j.of), orders)
	}
	for id, got := range j.of {
		if !slices.Equal(got, LifeOfAnOrder) {
			t.Fatalf("order %s: %v, expected the order of writing", id, got)
		}
	}
}
