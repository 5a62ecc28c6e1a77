package hazelcastsink_test

import (
	"context"
	"log"

	"github.com/hazelcast/hazelcast-go-client"
	"github.com/hazelcast/hazelcast-go-client/serialization"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/sink/hazelcastsink"
)

func ExampleNew() {
	sink, err := hazelcastsink.New(hazelcastsink.Config{
		Addresses: []string{"hazelcast-1:5701", "hazelcast-2:5701"},
		Reliable:  true,
	})
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = sink.Close() }()

	registry := outbox.NewRegistry()
	registry.Route("Order*", sink) // each type to the topic of its name
	// Output:
}

// A consumer of a plain topic hands each message to the inbox. The topic does
// not deliver it again if that fails.
func ExampleMessage() {
	listen := func(ctx context.Context, topic *hazelcast.Topic, consume func(context.Context, outbox.Received) error) error {
		_, err := topic.AddMessageListener(ctx, func(e *hazelcast.MessagePublished) {
			text, _ := e.Value.(serialization.JSON)
			m, err := hazelcastsink.Message(text)
			if err == nil {
				err = consume(ctx, m)
			}
			if err != nil {
				log.Print(err)
			}
		})
		return err
	}
	_ = listen
	// Output:
}
