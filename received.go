package outbox

import "maps"

// Received is an event as a consumer gets it, whatever transport delivered it.
// The sink packages make one from a message of their broker. Only the id is
// needed to give the event its effect once; the rest is for the handler.
type Received struct {
	// EventID is the id that the writer gave the event, from [HeaderEventID].
	EventID string
	// EventType is from [HeaderEventType]; it may be empty.
	EventType string
	Payload   []byte
	Headers   map[string]string
}

// Received is the event as a consumer gets it, for a [Listener] in this process
// that gives each event its effect once. It shares the payload, and has a copy
// of the event's own headers.
func (e Event) Received() Received {
	return Received{EventID: e.ID, EventType: e.Type, Payload: e.Payload(), Headers: maps.Clone(e.Headers)}
}
