package otel

import (
	"context"

	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// headerBaggage is the header of W3C baggage.
const headerBaggage = "baggage"

// stored writes contexts to the headers of events and reads them.
type stored struct{ baggage bool }

var w3c propagation.TraceContext

// put adds the context to an event that has none, and its trace id. The event is
// the caller's own copy.
func (s stored) put(ctx context.Context, e outbox.Event) outbox.Event {
	span := trace.SpanContextFromContext(ctx)
	had := e.Headers[driver.HeaderTraceParent] != ""
	if had {
		span = s.of(e.Headers)
	}
	if e.TraceID == "" && span.IsValid() {
		e.TraceID = span.TraceID().String()
	}
	var added []string
	add := func(p propagation.TextMapPropagator, header string) {
		if e.Headers[header] != "" {
			return
		}
		if e.Headers == nil {
			e.Headers = make(map[string]string, 3)
		}
		p.Inject(ctx, propagation.MapCarrier(e.Headers))
		added = append(added, p.Fields()...)
	}
	if !had && span.IsValid() {
		add(w3c, driver.HeaderTraceParent)
	}
	if s.baggage {
		add(propagation.Baggage{}, headerBaggage)
	}
	if len(added) > 0 && !fits(e.Headers) {
		for _, header := range added { // a trace must not fail a write
			delete(e.Headers, header)
		}
	}
	return e
}

// fits reports whether headers are within their limit. In JSON a byte takes at
// most six.
func fits(headers map[string]string) bool {
	n := 0
	for k, v := range headers {
		n += len(k) + len(v) + 1
	}
	if n <= outbox.MaxHeaders/6 {
		return true
	}
	_, err := driver.EncodeHeaders(headers)
	return err == nil
}

// of is the context in headers. It is not valid if there is none.
func (stored) of(headers map[string]string) trace.SpanContext {
	if headers[driver.HeaderTraceParent] == "" {
		return trace.SpanContext{}
	}
	return trace.SpanContextFromContext(w3c.Extract(context.Background(), propagation.MapCarrier(headers)))
}

// bags returns ctx with the baggage in headers, if it is wanted.
func (s stored) bags(ctx context.Context, headers map[string]string) context.Context {
	if !s.baggage || headers[headerBaggage] == "" {
		return ctx
	}
	return propagation.Baggage{}.Extract(ctx, propagation.MapCarrier(headers))
}
