package otel

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/sendoff-go/outbox"
)

// WriteHook makes a span for each write, stores its context with the events that
// have none, and counts what was committed. It also sets Event.TraceID where it is
// empty.
func (t *Telemetry) WriteHook() outbox.WriteHook {
	return outbox.WriteHook{
		AroundWrite: t.write,
		BeforeWrite: func(ctx context.Context, e outbox.Event) (outbox.Event, error) { return t.stored.put(ctx, e), nil },
		AfterWrite:  written,
		AfterCommit: t.state.WriteHook(t.meter).AfterCommit,
	}
}

func (t *Telemetry) write(ctx context.Context, es []outbox.Event) (context.Context, func(error)) {
	eventType := es[0].Type
	for i := range es {
		if es[i].Type != eventType {
			eventType = ""
			break
		}
	}
	attrs := make([]attribute.KeyValue, 0, 8)
	attrs = append(attrs, systemOutbox, operationWrite, semconv.MessagingOperationTypeCreate)
	if eventType != "" {
		attrs = append(attrs, semconv.MessagingDestinationName(eventType))
	}
	if len(es) > 1 {
		attrs = append(attrs, semconv.MessagingBatchMessageCount(len(es)))
	}
	ctx, span := t.tracer.Start(ctx, named("write", eventType), trace.WithSpanKind(trace.SpanKindProducer), trace.WithAttributes(attrs...))
	return ctx, func(err error) { finish(span, err) }
}

// written notes the id of the event, which only now is known to have one.
func written(ctx context.Context, es []outbox.Event) {
	if span := trace.SpanFromContext(ctx); len(es) == 1 && span.IsRecording() {
		span.SetAttributes(semconv.MessagingMessageID(es[0].ID))
	}
}
