package driver

import (
	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/header"
)

// EncodeHeaders returns the JSON object that a store keeps for the headers, or
// nil for none. It refuses headers that would not decode to the same value.
func EncodeHeaders(h map[string]string) ([]byte, error) { return header.Encode(h, outbox.MaxHeaders) }

// DecodeHeaders reads what [EncodeHeaders] or another program's INSERT stored.
// Empty text, JSON null and an empty object mean no headers.
func DecodeHeaders(text []byte) (map[string]string, error) { return header.Decode(text) }

// The headers of a W3C trace context. Events carry them like any others.
const (
	HeaderTraceParent = "traceparent"
	HeaderTraceState  = "tracestate"
)
