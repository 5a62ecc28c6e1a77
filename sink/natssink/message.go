package natssink

import (
	"github.com/nats-io/nats.go"

	"github.com/sendoff-go/outbox"
)

// Message returns the event in a message, for an inbox or a handler. It takes a
// jetstream.Msg; for a *nats.Msg use [CoreMessage]. A message without the
// headers of the outbox has an empty EventID. The payload is not copied: it
// shares the message's memory.
func Message(m interface {
	Data() []byte
	Headers() nats.Header
}) outbox.Received {
	return received(m.Data(), m.Headers())
}

// CoreMessage is [Message] for a message of the core client.
func CoreMessage(m *nats.Msg) outbox.Received { return received(m.Data, m.Header) }

func received(data []byte, header nats.Header) outbox.Received {
	r := outbox.Received{Payload: data, Headers: make(map[string]string, len(header))}
	for name, values := range header {
		if len(values) > 0 {
			r.Headers[name] = values[0]
		}
	}
	r.EventID, r.EventType = r.Headers[outbox.HeaderEventID], r.Headers[outbox.HeaderEventType]
	return r
}
