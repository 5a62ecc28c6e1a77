package natssink_test

import (
	"fmt"

	"github.com/nats-io/nats.go"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/sink/natssink"
)

// A sink with its own connection, which it makes in the background.
func ExampleNew() {
	s, err := natssink.New(natssink.Config{URL: "nats://localhost:4222"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = s.Close() }()
	reg := outbox.NewRegistry()
	reg.Route("order-*", s, outbox.ToFunc(func(e outbox.Event) string { return "orders." + e.TenantID }))
	fmt.Println(reg.Err())
	// Output: <nil>
}

// How a consumer reads the event from a message.
func ExampleCoreMessage() {
	m := natssink.CoreMessage(&nats.Msg{
		Data:   []byte(`{"id":1}`),
		Header: nats.Header{outbox.HeaderEventID: {"01J8ZQ4XK5"}, outbox.HeaderEventType: {"order-placed"}},
	})
	fmt.Println(m.EventID, m.EventType, string(m.Payload))
	// Output: 01J8ZQ4XK5 order-placed {"id":1}
}
