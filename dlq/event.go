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
	// Trace is the id of a trace: the event's own, or that of the W3C trace context
	// in its headers. Default: any.
	Trace string
}

// Matches reports whether an event matches.
func (m EventMatch) Matches(e *outbox.Event) bool {
	return (m.Trace == "" || inTrace(e, m.Trace)) && m.Payload.Matches(e)
}

// inTrace reports whether an event belongs to a trace. Ids in hex are the same in
// both cases.
func inTrace(e *outbox.Event, trace string) bool {
	if strings.EqualFold(e.TraceID, trace) {
		return true
	}
	_, rest, _ := strings.Cut(e.Headers[driver.HeaderTraceParent], "-") // version-trace-span-flags
	id, _, whole := strings.Cut(rest, "-")
	return whole && strings.EqualFold(id, trace)
}
