package hazelcaststore_test

import (
	"context"
	"log"
	"time"

	"github.com/hazelcast/hazelcast-go-client"
	"github.com/hazelcast/hazelcast-go-client/serialization"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/hazelcaststore"
)

// The event is written first and the order after it, in two calls. Should the
// process die between them, the listener finds no order and has nothing to do.
func Example() {
	ctx := context.Background()
	client, err := hazelcast.StartNewClient(ctx)
	if err != nil {
		log.Fatal(err)
	}
	orders, err := client.GetMap(ctx, "orders")
	if err != nil {
		log.Fatal(err)
	}
	store, err := hazelcaststore.New(client, hazelcaststore.Config{})
	if err != nil {
		log.Fatal(err)
	}

	reg := outbox.NewRegistry()
	reg.Handle("OrderPlaced", func(ctx context.Context, e outbox.Event) error {
		order, err := orders.Get(ctx, e.AggregateID)
		if err != nil || order == nil {
			return err
		}
		log.Printf("order %s was placed", e.AggregateID)
		return nil
	})
	r, err := relay.New(store, reg, relay.Config{Lane: relay.LaneConfig{Interval: time.Second}})
	if err != nil {
		log.Fatal(err)
	}
	go func() { log.Println(r.Run(ctx)) }()

	order := serialization.JSON(`{"id":"4711"}`)
	w := outbox.NewWriter(store, r.HotPath())
	err = w.InTx(ctx, func(ctx context.Context, tx *hazelcaststore.Tx) error {
		_, err := w.Write(ctx, tx, outbox.Event{
			Type: "OrderPlaced", AggregateType: "Order", AggregateID: "4711", JSON: []byte(order),
			DeliverAfter: 2 * time.Second, // the order is there by then, or never
		})
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := orders.Set(ctx, "4711", order); err != nil {
		log.Fatal(err)
	}
}
