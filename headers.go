package outbox

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// The headers that every message to a [Sink] carries, beside the event's own.
const (
	HeaderEventID       = "outbox_event_id"
	HeaderEventType     = "outbox_event_type"
	HeaderAggregateType = "outbox_aggregate_type"
	HeaderAggregateID   = "outbox_aggregate_id"
	HeaderTenantID      = "outbox_tenant_id"
	HeaderCorrelationID = "outbox_correlation_id"
	HeaderTraceID       = "outbox_trace_id"
	HeaderTraceParent   = "traceparent"
	HeaderTraceState    = "tracestate"
)

// EncodeHeaders is the JSON object that a store keeps for the headers, and nil
// for none. It refuses what would not come back as it was.
func EncodeHeaders(h map[string]string) ([]byte, error) {
	if len(h) == 0 {
		return nil, nil
	}
	for k, v := range h {
		if k == "" {
			return nil, fmt.Errorf("a header has an empty name: name it")
		}
		if !utf8.ValidString(k) || !utf8.ValidString(v) {
			return nil, fmt.Errorf("header %q is not valid UTF-8: encode it, for example as base64", k)
		}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(h); err != nil {
		return nil, err
	}
	out := bytes.TrimRight(b.Bytes(), "\n")
	if len(out) > MaxHeaders {
		return nil, fmt.Errorf("the headers have %d bytes as JSON, at most %d are allowed: move the data into the payload", len(out), MaxHeaders)
	}
	return out, nil
}

// DecodeHeaders reads what [EncodeHeaders] or another program's INSERT stored.
// Nothing, JSON null and an empty object are no headers.
func DecodeHeaders(text []byte) (map[string]string, error) {
	if len(text) == 0 {
		return nil, nil
	}
	var h map[string]string
	if err := json.Unmarshal(text, &h); err != nil {
		return nil, fmt.Errorf("headers are not a JSON object of strings: %w", err)
	}
	if len(h) == 0 {
		return nil, nil
	}
	return h, nil
}
