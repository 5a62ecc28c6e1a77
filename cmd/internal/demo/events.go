package demo

import (
	"strconv"
	"strings"

	"github.com/sendoff-go/outbox"
)

// order is the payload of all events.
type order struct {
	Number   int    `json:"number"`
	Customer string `json:"customer"`
	Cents    int64  `json:"cents"`
}

// id is the order's key, and the aggregate of its events.
func (o order) id() string { return idPrefix + strconv.Itoa(o.Number) }

const idPrefix = "order-"

// The events, in the order in which an order goes through them.
var (
	orderPlaced  = outbox.Define[order]("Order", "OrderPlaced")
	orderPaid    = outbox.Define[order]("Order", "OrderPaid")
	orderShipped = outbox.Define[order]("Order", "OrderShipped")

	definitions = []outbox.Definition[order]{orderPlaced, orderPaid, orderShipped}
)

// numberOf is the order that an event is about.
func numberOf(e outbox.Event) int {
	n, err := strconv.Atoi(strings.TrimPrefix(e.AggregateID, idPrefix))
	if err != nil { // cannot happen: nobody else writes into these tables
		return 0
	}
	return n
}

// newOrder makes up order n.
func newOrder(n int) order {
	customers := [...]string{"Ada", "Barbara", "Edsger", "Grace", "Leslie", "Niklaus", "Tony"}
	return order{Number: n, Customer: customers[n%len(customers)], Cents: int64(995 + n*37%9000)}
}
