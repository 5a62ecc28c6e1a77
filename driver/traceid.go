package driver

import (
	"strings"

	"github.com/sendoff-go/outbox"
)

// TraceIDOf returns the trace id of an event or, if it has none, that of the W3C
// trace context in its headers: programs that write with SQL mostly set only
// that. It is empty if there is none, or none that is valid.
func TraceIDOf(e *outbox.Event) string {
	if e.TraceID != "" {
		return e.TraceID
	}
	parts := strings.SplitN(e.Headers[HeaderTraceParent], "-", 4) // version, trace, span, flags
	if len(parts) < 4 || len(parts[1]) != 32 || strings.Trim(parts[1], "0123456789abcdef") != "" || strings.Trim(parts[1], "0") == "" {
		return ""
	}
	return parts[1]
}
