// Command billing is the second program of the shop: it consumes the shop's
// events, from Kafka or as webhooks, and writes invoices through an inbox. The
// shop starts one by itself; this one is for running it alone.
//
//	go run ./examples/shop/billing -database billing.db -kafka localhost:9092 -topic orders
package main

import (
	"os"

	"github.com/sendoff-go/outbox/examples/shop/internal/billing"
)

func main() { os.Exit(billing.Main(os.Args[1:])) }
