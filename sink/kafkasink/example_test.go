package kafkasink_test

import (
	"fmt"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/sink/kafkasink"
)

// A sink with its own client, which connects for the first event.
func ExampleNew() {
	s, err := kafkasink.New(kafkasink.Config{Brokers: []string{"localhost:9092"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = s.Close() }()
	reg := outbox.NewRegistry()
	reg.Route("order-*", s, outbox.To("orders"))
	fmt.Println(reg.Err())
	// Output: <nil>
}

// A sink that uses an existing client.
func ExampleNew_client() {
	client, err := kgo.NewClient(append(kafkasink.ClientOptions(), kgo.SeedBrokers("localhost:9092"))...)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	s, err := kafkasink.New(kafkasink.Config{Client: client})
	if err != nil {
		fmt.Println(err)
		return
	}
	reg := outbox.NewRegistry()
	reg.Route("*", s)
	fmt.Println(reg.Err())
	// Output: <nil>
}

// How a consumer reads the event from a record.
func ExampleMessage() {
	record := &kgo.Record{
		Value: []byte(`{"id":1}`),
		Headers: []kgo.RecordHeader{
			{Key: outbox.HeaderEventID, Value: []byte("01J8ZQ4XK5")},
			{Key: outbox.HeaderEventType, Value: []byte("order-placed")},
		},
	}
	m := kafkasink.Message(record)
	fmt.Println(m.EventID, m.EventType, string(m.Payload))
	// Output: 01J8ZQ4XK5 order-placed {"id":1}
}
