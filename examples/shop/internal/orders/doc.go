// Package orders is the shop: a REST service that places and cancels orders. It
// writes each event in the transaction that changes the order, and its relay
// sends the events to billing.
//
//	POST   /orders       {"customer": "ann", "cents": 1200}
//	GET    /orders/{id}
//	DELETE /orders/{id}
//	GET    /metrics      for Prometheus
//	GET    /console/     the web interface of the outbox
package orders
