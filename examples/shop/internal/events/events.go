package events

import "github.com/sendoff-go/outbox"

// Order is the payload of both events.
type Order struct {
	ID       string `json:"id"`
	Customer string `json:"customer"`
	Cents    int64  `json:"cents"`
}

// The events of an order. They may arrive in any order.
var (
	OrderPlaced    = outbox.Define[Order]("Order", "OrderPlaced")
	OrderCancelled = outbox.Define[Order]("Order", "OrderCancelled")
)
