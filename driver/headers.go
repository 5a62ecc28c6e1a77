package driver

import (
	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/header"
)

// EncodeHeaders is the JSON object that a store keeps for the headers, and nil
// for none. It refuses what would not come back as it was.
func EncodeHeaders(h map[string]string) ([]byte, error) { return header.Encode(h, outbox.MaxHeaders) }

// DecodeHeaders reads what [EncodeHeaders] or another program's INSERT stored.
// Nothing, JSON null and an empty object are no headers.
func DecodeHeaders(text []byte) (map[string]string, error) { return header.Decode(text) }

// The headers of a W3C trace context, which events carry like any other.
const (
	HeaderTraceParent = "traceparent"
	HeaderTraceState  = "tracestate"
)
