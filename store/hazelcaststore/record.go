package hazelcaststore

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/sendoff-go/outbox"
)

// record is what an event says, in an entry and in a letter. Those pass it on as
// the text that it is, so that what another program has put there is kept.
type record struct {
	AggregateType string            `json:"aggregateType"`
	AggregateID   string            `json:"aggregateId,omitempty"`
	TenantID      string            `json:"tenantId,omitempty"`
	CorrelationID string            `json:"correlationId,omitempty"`
	TraceID       string            `json:"traceId,omitempty"`
	Headers       map[string]string `json:"headers,omitempty"`
	OccurredAt    time.Time         `json:"occurredAt"`
	// Payload is JSON text inside of a string, since its bytes matter.
	Payload *string `json:"payload,omitempty"`
	Bytes   *[]byte `json:"payloadBytes,omitempty"` // base64
}

func newRecord(e outbox.Event) json.RawMessage {
	r := record{
		AggregateType: e.AggregateType, AggregateID: e.AggregateID, TenantID: e.TenantID,
		CorrelationID: e.CorrelationID, TraceID: e.TraceID, Headers: e.Headers,
		OccurredAt: e.OccurredAt.UTC().Truncate(time.Microsecond),
	}
	if e.JSON != nil {
		text := string(e.JSON)
		r.Payload = &text
	} else {
		r.Bytes = &e.Bytes
	}
	return encode(r)
}

// readRecord returns the event as receivers get it. Its error says why the event
// cannot be delivered as it is.
func readRecord(id, eventType string, text json.RawMessage) (outbox.Event, error) {
	e := outbox.Event{ID: id, Type: eventType}
	var r record
	err := json.Unmarshal(text, &r)
	e.AggregateType, e.AggregateID, e.TenantID = r.AggregateType, r.AggregateID, r.TenantID
	e.CorrelationID, e.TraceID, e.Headers, e.OccurredAt = r.CorrelationID, r.TraceID, r.Headers, r.OccurredAt
	switch {
	case r.Payload != nil:
		e.JSON = json.RawMessage(*r.Payload)
	case r.Bytes != nil:
		e.Bytes = *r.Bytes
	}
	switch {
	case err != nil:
	case e.JSON == nil && e.Bytes == nil:
		err = errors.New("it has neither payload nor payloadBytes")
	case e.JSON != nil && !json.Valid(e.JSON):
		err = errors.New("its payload is not JSON")
	}
	if err != nil {
		err = fmt.Errorf("hazelcaststore: the eventRecord of event %s cannot be read: %w", id, err)
	}
	return e, err
}

func encode(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil { // cannot happen: strings, numbers and valid JSON
		panic(err)
	}
	return raw
}
