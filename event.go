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
// Exactly one of JSON and Bytes is set; which one is decided by being non-nil,
// so an empty, non-nil Bytes is a payload of no bytes. What was written is what
// arrives, byte for byte. The zero value of every other field has the default
// that the field names. A Writer copies the event, so the caller may reuse
// Headers, JSON and Bytes at once; a receiver owns the copy that it got.
type Event struct {
	// ID names the event for ever, here and at the receivers. Default: a new
	// ULID, greater than all that this process made before. Otherwise 1 to 36
	// printable ASCII characters.
	ID string
	// Type says what happened and selects the lane and the receiver.
	// Required, at most 128 characters.
	Type string
	// AggregateType says what kind of thing it happened to, at most 64
	// characters. Default: [GlobalAggregate].
	AggregateType string
	// AggregateID says which one, at most 128 characters. Events of one
	// (AggregateType, AggregateID) run one at a time within a relay; events
	// without an AggregateID run in parallel. Default: none.
	AggregateID string
	// TenantID is passed through, at most 64 characters. Default: none.
	TenantID string
	// CorrelationID is passed through, at most 128 characters. Default: none.
	CorrelationID string
	// TraceID is passed through, at most 128 characters; a W3C trace context
	// travels in Headers. Default: none.
	TraceID string
	// Headers are passed through, at most 64 KiB in all as JSON. Default: none.
	Headers map[string]string
	// JSON is a payload that is JSON text, at most 1 MiB unless the writer has
	// another limit ([WithMaxPayload]).
	JSON json.RawMessage
	// Bytes is a payload of any bytes, with the same limit.
	Bytes []byte
	// OccurredAt is the caller's time of the event. It is kept to the
	// microsecond (to the millisecond on SQLite) and decides nothing.
	// Default: now, by the clock of the process.
	OccurredAt time.Time
	// AvailableAt keeps the event back until that moment. It is compared with
	// the database's clock, not the process's; where the two may differ, use
	// DeliverAfter. At most one of the two is set. Default: at once.
	AvailableAt time.Time
	// DeliverAfter keeps the event back for that long, counted by the
	// database's clock from the write. Default: at once.
	DeliverAfter time.Duration

	// err is what went wrong while the event was made by a Definition; Write
	// reports it, so that making an event can stay an expression.
	err error
}

// Payload is the JSON text or the bytes, whichever is set.
func (e Event) Payload() []byte {
	if e.JSON != nil {
		return e.JSON
	}
	return e.Bytes
}

// Delayed reports whether the event asks to be kept back.
func (e Event) Delayed() bool { return !e.AvailableAt.IsZero() || e.DeliverAfter > 0 }

// Clone is a copy that shares no memory with e.
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
