package demo

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/sendoff-go/outbox"
)

// order is the payload of the events of an order.
type order struct {
	Number   int      `json:"number"`
	Customer string   `json:"customer"`
	Cents    int64    `json:"cents"`
	Items    []item   `json:"items"`
	Address  *address `json:"address"` // nil: there is none, and nothing can be shipped
}

type item struct {
	Article string `json:"article"`
	Pieces  int    `json:"pieces"`
}

type address struct {
	Street string `json:"street"`
	City   string `json:"city"`
}

// mail is the payload of [mailRequested].
type mail struct {
	To       string `json:"to"`
	Template string `json:"template"`
	Order    string `json:"order"`
}

// invoice is the payload of [invoiceRequested].
type invoice struct {
	Order    string `json:"order"`
	Customer string `json:"customer"`
	Cents    int64  `json:"cents"`
	Currency string `json:"currency"`
}

// id is the order's key, and the aggregate of its events.
func (o order) id() string { return idPrefix + strconv.Itoa(o.Number) }

const idPrefix = "order-"

// The events, in the order in which an order goes through them. Mails and invoices
// are aggregates of their own, so that an order does not wait for them.
var (
	orderPlaced      = outbox.Define[order]("Order", "OrderPlaced")
	mailRequested    = outbox.Define[mail]("Mail", "MailRequested")
	orderPaid        = outbox.Define[order]("Order", "OrderPaid")
	invoiceRequested = outbox.Define[invoice]("Invoice", "InvoiceRequested")
	orderShipped     = outbox.Define[order]("Order", "OrderShipped")

	types = []string{orderPlaced.Type(), mailRequested.Type(), orderPaid.Type(), invoiceRequested.Type(), orderShipped.Type()}
)

// hasListener reports whether a type has a listener in this process. Only such types
// count in the total latency: how long invoices wait is up to accounting.
func hasListener(eventType string) bool { return eventType != invoiceRequested.Type() }

// numberOf is the order that an event is about.
func numberOf(e outbox.Event) int { return number(e.AggregateID) }

func number(id string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(id, idPrefix))
	if err != nil { // cannot happen: nobody else writes into these tables
		return 0
	}
	return n
}

// newOrder makes up order n.
func newOrder(n int) order {
	customers := [...]string{"Ada", "Barbara", "Edsger", "Grace", "Leslie", "Niklaus", "Tony"}
	articles := [...]string{"abacus", "slide rule", "punched cards", "core memory", "teleprinter"}
	cities := [...]string{"London", "Boston", "Eindhoven", "New York", "Paris", "Zürich", "Oxford"}
	o := order{Number: n, Customer: customers[n%len(customers)], Cents: int64(995 + n*37%9000)}
	for i := range 1 + n%3 {
		o.Items = append(o.Items, item{Article: articles[(n+i)%len(articles)], Pieces: 1 + n%4})
	}
	if !unshippable(n) {
		o.Address = &address{Street: strconv.Itoa(1+n%99) + " High Street", City: cities[n%len(cities)]}
	}
	return o
}

func (o order) mail() mail {
	m := mail{To: strings.ToLower(o.Customer) + "@example.com", Template: "order-confirmation", Order: o.id()}
	if misaddressed(o.Number) {
		m.To = strings.ToLower(o.Customer)
	}
	if unknownTemplate(o.Number) {
		m.Template = "order-confirmation-old"
	}
	return m
}

func (o order) invoice() invoice {
	return invoice{Order: o.id(), Customer: o.Customer, Cents: o.Cents, Currency: "EUR"}
}

// described adds what an application knows beside the payload.
func (o order) described(e outbox.Event) outbox.Event {
	tenants := [...]string{"north", "south", "web"}
	channels := [...]string{"app", "browser", "phone"}
	sum := sha256.Sum256([]byte(o.id()))
	e.TraceID = hex.EncodeToString(sum[:16])
	e.TenantID, e.CorrelationID = tenants[o.Number%len(tenants)], "cart-"+hex.EncodeToString(sum[16:20])
	e.Headers = map[string]string{
		"channel":     channels[o.Number%len(channels)],
		"traceparent": "00-" + e.TraceID + "-" + hex.EncodeToString(sum[20:28]) + "-01",
	}
	return e
}
