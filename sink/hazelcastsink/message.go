package hazelcastsink

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/hazelcast/hazelcast-go-client/serialization"

	"github.com/sendoff-go/outbox"
)

// record is a message as JSON. Its names are those of the outbox entry that
// Hazelcast's own article publishes.
type record struct {
	EventID       string            `json:"eventId"`
	EventType     string            `json:"eventType"`
	AggregateType string            `json:"aggregateType,omitempty"`
	AggregateID   string            `json:"aggregateId,omitempty"`
	TenantID      string            `json:"tenantId,omitempty"`
	CorrelationID string            `json:"correlationId,omitempty"`
	CreatedAt     int64             `json:"createdAt,omitempty"` // Unix time in milliseconds
	Headers       map[string]string `json:"headers"`
}

// payload is the other half of a record: one of the two.
type payload struct {
	EventRecord json.RawMessage `json:"eventRecord"`
	Base64      []byte          `json:"eventRecordBase64"`
}

// encode returns the message as JSON, in memory of its own: the client may
// still read it after Send has returned.
func encode(m *outbox.Message) (serialization.JSON, error) {
	e := &m.Event
	r := record{
		EventID: e.ID, EventType: e.Type, AggregateType: e.AggregateType, AggregateID: e.AggregateID,
		TenantID: e.TenantID, CorrelationID: e.CorrelationID, Headers: m.Headers,
	}
	if !e.OccurredAt.IsZero() {
		r.CreatedAt = e.OccurredAt.UnixMilli()
	}
	if r.Headers == nil {
		r.Headers = map[string]string{}
	}
	for name, value := range r.Headers {
		if !utf8.ValidString(name) || !utf8.ValidString(value) {
			return nil, outbox.Permanent(fmt.Errorf("hazelcastsink: header %q is not valid UTF-8, which JSON cannot carry: encode the value", name))
		}
	}
	b, err := json.Marshal(r)
	if err != nil {
		return nil, outbox.Permanent(fmt.Errorf("hazelcastsink: %w", err))
	}
	body := m.Payload()
	b = slices.Grow(b, len(body)*4/3+32)
	b = b[:len(b)-1]
	// A payload that would not survive in the record byte for byte is base64.
	if e.JSON != nil && json.Valid(body) && utf8.Valid(body) && len(bytes.TrimSpace(body)) == len(body) {
		b = append(b, `,"eventRecord":`...)
		b = append(b, body...)
	} else {
		b = append(b, `,"eventRecordBase64":"`...)
		b = base64.StdEncoding.AppendEncode(b, body)
		b = append(b, '"')
	}
	return append(b, '}'), nil
}

// Message returns the event in a message of a topic, for package inbox: the
// Value of a *hazelcast.MessagePublished is a [serialization.JSON]. A message
// without eventId has an empty EventID, which the inbox refuses. It is safe for
// concurrent use.
func Message(text serialization.JSON) (outbox.Received, error) {
	var r struct {
		record
		payload
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return outbox.Received{}, fmt.Errorf("hazelcastsink: the message is not one of this sink: %w", err)
	}
	m := outbox.Received{EventID: r.EventID, EventType: r.EventType, Payload: r.EventRecord, Headers: r.Headers}
	if r.EventRecord == nil {
		m.Payload = r.Base64
	}
	return m, nil
}
