package otel

import (
	"strings"
	"sync"

	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/sendoff-go/outbox"
)

// target is what the spans of one destination have in common.
type target struct {
	name, batch   string
	start, starts []trace.SpanStartOption // of an event, of a batch
}

// targets remembers them: a relay has few destinations, and delivers many events
// to each. It is safe for concurrent use.
type targets struct{ known sync.Map } // of *target, by *outbox.Target

func (t *targets) of(to *outbox.Target, eventType string) *target {
	if to == nil { // nobody has registered it, so nothing bounds their number
		return newTarget("", eventType)
	}
	if known, ok := t.known.Load(to); ok {
		return known.(*target)
	}
	destination := to.Pattern()
	if to.Sink() != "" {
		destination = to.Destination()
	}
	made, _ := t.known.LoadOrStore(to, newTarget(to.Sink(), destination))
	return made.(*target)
}

func newTarget(sink, destination string) *target {
	kind, operation, system := trace.SpanKindConsumer, semconv.MessagingOperationTypeProcess, systemOutbox
	if sink != "" {
		kind, operation, system = trace.SpanKindClient, semconv.MessagingOperationTypeSend, systemOf(sink)
	}
	attrs := []attribute.KeyValue{system, operation}
	if destination != "" {
		attrs = append(attrs, semconv.MessagingDestinationName(destination))
	}
	options := func(name attribute.KeyValue) []trace.SpanStartOption {
		return []trace.SpanStartOption{trace.WithSpanKind(kind), trace.WithAttributes(append([]attribute.KeyValue{name}, attrs...)...)}
	}
	return &target{
		name: named("deliver", destination), start: options(operationDeliver),
		batch: named("deliver_batch", destination), starts: options(operationDeliverBatch),
	}
}

// systemOf is the messaging system of a kind of sink: that of the convention, or
// the name of the package without its ending.
func systemOf(sink string) attribute.KeyValue {
	if sink == "rabbitsink" {
		return semconv.MessagingSystemRabbitMQ
	}
	pkg, _, _ := strings.Cut(sink, ".")
	return semconv.MessagingSystemKey.String(strings.TrimSuffix(pkg, "sink"))
}
