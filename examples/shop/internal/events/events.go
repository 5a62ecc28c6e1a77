package events

import "github.com/sendoff-go/outbox"

// Order is the payload of both events.
type Order struct {
	ID       string `json:"id"`
	Customer string `json:"customer"`
	Cents    int64  `json:"cents"`
}

// The events of an order. A cancellation overtakes an order whose delivery is
// repeated.
var (
	OrderPlaced    = outbox.Define[Order]("Order", "OrderPlaced")
	OrderCancelled = outbox.Define[Order]("Order", "OrderCancelled")
)
