package httpsink

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/sendoff-go/outbox"
)

// MaxBody is how many bytes of a request [Message] and [Verify] read: enough
// for the largest payload as base64 in its envelope.
const MaxBody = 2 << 20

// Message returns the event in a request, for package inbox. It reads
// CloudEvents in binary and in structured mode, and any other request as
// payload and headers; header names are lower-case.
//
// In a signed request, one with the header webhook-signature, only signed data
// identifies the event: the id comes from webhook-id, and the type from the
// body in structured mode, or else from the headers, which outbox-signature
// covers. No other header is signed; in structured mode, aggregate, tenant and
// correlation come from the body.
//
// In a request without a signature the id comes from the header
// outbox_event_id, or else from CloudEvents' id, or else from webhook-id.
// Without any, EventID is empty, which the inbox refuses. A request that
// contradicts itself is an error.
//
// It verifies nothing: call [Verify] first. A body of more than [MaxBody] is an
// error. The body can be read again afterwards.
func Message(r *http.Request) (outbox.Received, error) {
	body, err := read(r)
	if err != nil {
		return outbox.Received{}, err
	}
	m := outbox.Received{Payload: body, Headers: make(map[string]string, len(r.Header))}
	for name, values := range r.Header {
		m.Headers[strings.ToLower(name)] = strings.Join(values, ", ")
	}
	id := r.Header.Get(standardwebhooks.HeaderWebhookID) // the first of several, as Verify reads it
	signed := r.Header.Get(standardwebhooks.HeaderWebhookSignature) != ""
	if signed {
		if id, err = url.PathUnescape(id); err != nil {
			return outbox.Received{}, fmt.Errorf("httpsink: webhook-id: %w: answer 400", err)
		}
	}
	switch {
	case isStructured(r.Header):
		if err := fromEnvelope(&m, body); err != nil {
			return outbox.Received{}, err
		}
		if signed && m.EventID != id {
			return outbox.Received{}, fmt.Errorf("httpsink: the body has event %q, but webhook-id is %q: answer 400", m.EventID, id)
		}
	case signed:
		m.EventID, m.EventType = id, typeOf(r.Header)
	default:
		m.EventID = first(m.Headers[outbox.HeaderEventID], unescape(m.Headers["ce-id"]), id)
		m.EventType = typeOf(r.Header)
	}
	if err := agree(m); err != nil {
		return outbox.Received{}, err
	}
	return m, nil
}

// agree reports headers of the sink that contradict the event.
func agree(m outbox.Received) error {
	for name, want := range map[string]string{outbox.HeaderEventID: m.EventID, outbox.HeaderEventType: m.EventType} {
		if got := m.Headers[name]; got != "" && want != "" && got != want {
			return fmt.Errorf("httpsink: the header %s is %q, but the event has %q: it was changed in transit, answer 400", name, got, want)
		}
	}
	return nil
}

type envelope struct {
	ID            string          `json:"id"`
	Type          string          `json:"type"`
	Subject       string          `json:"subject"`
	AggregateType string          `json:"aggregatetype"`
	TenantID      string          `json:"tenantid"`
	CorrelationID string          `json:"correlationid"`
	Data          json.RawMessage `json:"data"`
	Base64        []byte          `json:"data_base64"`
}

// fromEnvelope reads structured mode. The body takes precedence over headers,
// which any intermediary can change and a proxy may drop.
func fromEnvelope(m *outbox.Received, body []byte) error {
	var e envelope
	if err := json.Unmarshal(body, &e); err != nil {
		return fmt.Errorf("httpsink: the body is not a CloudEvent: %w", err)
	}
	m.EventID, m.EventType, m.Payload = e.ID, e.Type, e.Data
	if e.Data == nil {
		m.Payload = e.Base64
	}
	for name, value := range map[string]string{
		outbox.HeaderAggregateType: e.AggregateType, outbox.HeaderAggregateID: e.Subject,
		outbox.HeaderTenantID: e.TenantID, outbox.HeaderCorrelationID: e.CorrelationID,
	} {
		if delete(m.Headers, name); value != "" {
			m.Headers[name] = value
		}
	}
	return nil
}

// isStructured reports whether the body is a whole event rather than its
// payload.
func isStructured(h http.Header) bool {
	kind, _, _ := mime.ParseMediaType(h.Get("Content-Type"))
	return kind == "application/cloudevents+json"
}

// typeOf returns the event type in the headers.
func typeOf(h http.Header) string {
	return first(h.Get(outbox.HeaderEventType), unescape(h.Get("ce-type")))
}

func first(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}

// read reads the body and replaces it with one that can be read again.
func read(r *http.Request) ([]byte, error) {
	if r.Body == nil {
		return []byte{}, nil
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, MaxBody+1))
	if err != nil {
		return nil, fmt.Errorf("httpsink: body of the request: %w", err)
	}
	if len(body) > MaxBody {
		return nil, fmt.Errorf("httpsink: the body has more than %d bytes: answer 413", MaxBody)
	}
	_ = r.Body.Close()
	r.Body = io.NopCloser(bytes.NewReader(body))
	return body, nil
}
