package redissink_test

import (
	"context"
	"log"

	"github.com/redis/go-redis/v9"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/sink/redissink"
)

func ExampleNew() {
	sink, err := redissink.New(redissink.Config{
		URL:    "redis://localhost:6379/0",
		MaxLen: 1_000_000,
	})
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = sink.Close() }()

	registry := outbox.NewRegistry()
	registry.Route("order-*", sink, outbox.To("orders"))
	// Output:
}

// A consumer hands each entry to the inbox and acknowledges it when the effect
// is committed.
func ExampleMessage() {
	handle := func(ctx context.Context, client *redis.Client, x redis.XMessage, consume func(context.Context, outbox.Received) error) error {
		if err := consume(ctx, redissink.Message(x)); err != nil {
			return err
		}
		return client.XAck(ctx, "orders", "billing", x.ID).Err()
	}
	_ = handle
	// Output:
}
