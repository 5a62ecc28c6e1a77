package rabbitsink

import (
	"fmt"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/sendoff-go/outbox"
)

// Message returns the event in a delivery, for package inbox. A delivery
// without the header outbox_event_id has an empty EventID, which the inbox
// refuses. The payload is not copied: it shares the delivery's memory. It is
// safe for concurrent use.
func Message(d amqp.Delivery) outbox.Received {
	headers := make(map[string]string, len(d.Headers))
	for k, v := range d.Headers {
		headers[k] = text(v)
	}
	return outbox.Received{
		EventID:   headers[outbox.HeaderEventID],
		EventType: headers[outbox.HeaderEventType],
		Payload:   d.Body,
		Headers:   headers,
	}
}

// text returns a header as text, whatever type another client gave it.
func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []byte:
		return string(v)
	case time.Time:
		return v.UTC().Format(time.RFC3339)
	case nil:
		return ""
	}
	return fmt.Sprint(v)
}
