package rabbitsink_test

import (
	"context"
	"log"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/sink/rabbitsink"
)

func ExampleNew() {
	sink, err := rabbitsink.New(rabbitsink.Config{
		URL:     "amqp://guest:guest@localhost:5672/",
		Timeout: 10 * time.Second,
	})
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = sink.Close() }()

	registry := outbox.NewRegistry()
	// Exchange "orders", with the event type as the routing key.
	registry.Route("order-*", sink, outbox.To("orders"))
	// Output:
}

// A consumer hands each delivery to the inbox and acknowledges it when the
// effect is committed.
func ExampleMessage() {
	handle := func(ctx context.Context, d amqp.Delivery, consume func(context.Context, outbox.Received) error) error {
		if err := consume(ctx, rabbitsink.Message(d)); err != nil {
			return d.Nack(false, true)
		}
		return d.Ack(false)
	}
	_ = handle
	// Output:
}
