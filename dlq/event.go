package dlq

import (
	"strings"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// EventMatch is a condition on events that no store has an index for. The zero
// value matches every event.
type EventMatch struct {
	Payload *PayloadMatch // nil: any
	// Trace is the id of a trace, as [driver.TraceIDOf] returns it. Default: any.
	Trace string
}

// Matches reports whether an event matches. Ids of traces, in hex, are the same in
// both cases.
func (m EventMatch) Matches(e *outbox.Event) bool {
	return (m.Trace == "" || strings.EqualFold(driver.TraceIDOf(e), m.Trace)) && m.Payload.Matches(e)
}
