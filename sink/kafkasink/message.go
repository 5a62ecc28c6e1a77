package kafkasink

import (
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/sendoff-go/outbox"
)

// Message returns the event in a record, for an inbox or a handler. A record
// without the headers of the outbox has an empty EventID. The payload is not
// copied: it shares the record's memory.
func Message(r *kgo.Record) outbox.Received {
	m := outbox.Received{Payload: r.Value, Headers: make(map[string]string, len(r.Headers))}
	for _, h := range r.Headers {
		m.Headers[h.Key] = string(h.Value)
	}
	m.EventID, m.EventType = m.Headers[outbox.HeaderEventID], m.Headers[outbox.HeaderEventType]
	return m
}
