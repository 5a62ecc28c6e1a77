package outbox

import (
	"encoding/json"
	"maps"
	"slices"
	"time"
)

// GlobalAggregate is the aggregate type of events that name none.
const GlobalAggregate = "__GLOBAL__"

// Event is something that happened, as the caller describes it to a [Writer]
// and as a [Listener] or [Sink] receives it.
//
// Exactly one of JSON and Bytes is set, that is, non-nil: an empty, non-nil
// Bytes is a payload of no bytes. What was written is what arrives, byte for
// byte. The zero value of every other field means the default that the field
// documents. A Writer copies the event, so the caller may reuse Headers, JSON
// and Bytes at once; a receiver owns the copy that it receives.
type Event struct {
	// ID identifies the event for good, here and at the receivers. Default: a
	// new ULID, greater than all that this process has made before. Otherwise 1
	// to 36 printable ASCII characters.
	ID string
	// Type says what happened and selects the lane and the receiver.
	// Required, at most 128 characters.
	Type string
	// AggregateType is the kind of thing it happened to, at most 64 characters.
	// Default: [GlobalAggregate].
	AggregateType string
	// AggregateID identifies that thing, at most 128 characters. Events of one
	// (AggregateType, AggregateID) run one at a time within a relay; events
	// without an AggregateID run in parallel. Default: none.
	AggregateID string
	// TenantID is passed through unchanged, at most 64 characters. Default: none.
	TenantID string
	// CorrelationID is passed through unchanged, at most 128 characters.
	// Default: none.
	CorrelationID string
	// TraceID is passed through unchanged, at most 128 characters; a W3C trace
	// context travels in Headers. Default: none.
	TraceID string
	// Headers are passed through unchanged, at most 64 KiB in total as JSON.
	// Default: none.
	Headers map[string]string
	// JSON is a payload that is JSON text, at most 1 MiB unless the writer has
	// another limit ([WithMaxPayload]).
	JSON json.RawMessage
	// Bytes is a payload of any bytes, with the same limit.
	Bytes []byte
	// OccurredAt is the caller's time of the event. It is stored to the
	// microsecond (to the millisecond on SQLite) and does not affect delivery.
	// Default: now, by the clock of the process.
	OccurredAt time.Time
	// AvailableAt delays delivery until that time. It is compared with the
	// database's clock, not the process's; where the two may differ, use
	// DeliverAfter. At most one of the two is set. Default: at once.
	AvailableAt time.Time
	// DeliverAfter delays delivery by that long, counted from the write by the
	// database's clock. Default: at once.
	DeliverAfter time.Duration

	// err is why a Definition could not make the event; Write returns it, so
	// that making an event can stay an expression.
	err error
}

// Payload returns JSON or Bytes, whichever is set.
func (e Event) Payload() []byte {
	if e.JSON != nil {
		return e.JSON
	}
	return e.Bytes
}

// Delayed reports whether the event asks for a later delivery.
func (e Event) Delayed() bool { return !e.AvailableAt.IsZero() || e.DeliverAfter > 0 }

// Clone returns a copy that shares no memory with e.
func (e Event) Clone() Event {
	e.Headers = maps.Clone(e.Headers)
	e.JSON = slices.Clone(e.JSON)
	e.Bytes = slices.Clone(e.Bytes)
	return e
}

// Size is the number of bytes that the event keeps in memory, as the relay
// counts it against its bounds.
func (e Event) Size() int {
	n := eventOverhead + len(e.JSON) + len(e.Bytes)
	for k, v := range e.Headers {
		n += len(k) + len(v)
	}
	return n
}

// eventOverhead stands for the struct, its short strings and the bookkeeping.
const eventOverhead = 512
