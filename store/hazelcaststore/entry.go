package hazelcaststore

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// The states of an entry.
const (
	statusOpen      = "OPEN"      // written by a Tx that has not ended
	statusPending   = "PENDING"   // to be delivered
	statusDelivered = "DELIVERED" // kept for the retention time
	statusFailed    = "FAILED"    // on its way to the dead letters
)

// entry is the value of an event. Programs in Java read it as a
// HazelcastJsonValue; docs/hazelcast.md describes it. Times are microseconds
// since 1970 by the cluster's clock. What indexes and predicates look at stands
// first, so that a member need not read the payload.
type entry struct {
	Lane  string `json:"lane,omitempty"` // the event type, while it is pending
	Due   *int64 `json:"due,omitempty"`  // while it is pending
	Until int64  `json:"until"`          // of the claim or head start; 0: none
	Done  *int64 `json:"done,omitempty"`
	// Mend is when others may finish what a process has left half done.
	Mend   *int64 `json:"mend,omitempty"`
	Tx     string `json:"tx,omitempty"`
	Status string `json:"status"`

	Seq       int64        `json:"seq"`
	Claim     int64        `json:"claim"`
	Owner     driver.Owner `json:"owner,omitempty"`
	Attempts  int          `json:"retryCount"`
	Recovered int          `json:"recovered,omitempty"`
	Created   int64        `json:"createdAt"`
	Error     string       `json:"failureReason,omitempty"`
	Failures  string       `json:"failures,omitempty"` // JSON text, as the relay wrote it

	body
}

// body is the event itself, in an entry and in a letter.
type body struct {
	ID            string            `json:"eventId"`
	Type          string            `json:"eventType"`
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

func newBody(e outbox.Event) body {
	b := body{
		ID: e.ID, Type: e.Type, AggregateType: e.AggregateType, AggregateID: e.AggregateID,
		TenantID: e.TenantID, CorrelationID: e.CorrelationID, TraceID: e.TraceID, Headers: e.Headers,
		OccurredAt: e.OccurredAt.UTC().Truncate(time.Microsecond),
	}
	if e.JSON != nil {
		text := string(e.JSON)
		b.Payload = &text
	} else {
		bytes := e.Bytes
		b.Bytes = &bytes
	}
	return b
}

// event is the event as receivers get it.
func (b *body) event() outbox.Event {
	e := outbox.Event{
		ID: b.ID, Type: b.Type, AggregateType: b.AggregateType, AggregateID: b.AggregateID,
		TenantID: b.TenantID, CorrelationID: b.CorrelationID, TraceID: b.TraceID, Headers: b.Headers,
		OccurredAt: b.OccurredAt,
	}
	if b.Payload != nil {
		e.JSON = json.RawMessage(*b.Payload)
	} else if b.Bytes != nil {
		e.Bytes = *b.Bytes
	}
	return e
}

// problem says why the event cannot be delivered as it is, or nil.
func (b *body) problem() error {
	switch {
	case b.Payload == nil && b.Bytes == nil:
		return fmt.Errorf("hazelcaststore: event %s has neither payload nor payloadBytes", b.ID)
	case b.Payload != nil && !json.Valid([]byte(*b.Payload)):
		return fmt.Errorf("hazelcaststore: the payload of event %s is not JSON", b.ID)
	}
	return nil
}

func (b *body) size() int {
	if b.Payload != nil {
		return len(*b.Payload)
	} else if b.Bytes != nil {
		return len(*b.Bytes)
	}
	return 0
}

// row is an entry with the text that the map has for it.
type row struct {
	entry
	raw []byte
}

func parseRow(raw []byte) (*row, error) {
	r := &row{raw: raw}
	if err := json.Unmarshal(raw, &r.entry); err != nil {
		return nil, fmt.Errorf("an entry that is not an event of this store: %w", err)
	}
	return r, nil
}

func encode(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil { // cannot happen: strings, numbers and valid JSON
		panic(err)
	}
	return raw
}

func at(t int64) *int64 { return &t }
