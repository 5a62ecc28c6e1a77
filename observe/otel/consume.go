package otel

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/sendoff-go/outbox"
)

// Consume begins the span of a consumer group that handles messages. Handle them
// with the context that it returns, and call end with the number of messages that
// were new and with the error. [Telemetry.Inbox] does so around Consume and
// ConsumeBatch of a consumer; call it yourself around ConsumeIn, or where there is
// no inbox.
//
// The span is a child of the write, or of the span in ctx if that is of the
// same trace, such as one that the client of the broker has begun from the same
// headers. Messages of several traces have a span of their own, a child of the
// one in ctx. Whatever is not the parent becomes a link.
func (t *Telemetry) Consume(ctx context.Context, group string, ms ...outbox.Received) (_ context.Context, end func(fresh int, err error)) {
	parent, links := t.parent(ctx, ms)
	if parent.IsValid() { // otherwise that of ctx, or none
		ctx = trace.ContextWithRemoteSpanContext(ctx, parent)
	}
	if len(ms) == 1 {
		ctx = t.stored.bags(ctx, ms[0].Headers)
	}
	attrs := append(make([]attribute.KeyValue, 0, 8), systemOutbox, operationConsume, semconv.MessagingOperationTypeProcess)
	if group != "" {
		attrs = append(attrs, semconv.MessagingConsumerGroupName(group))
	}
	eventType := typeOf(ms)
	if eventType != "" {
		attrs = append(attrs, semconv.MessagingDestinationName(eventType))
	}
	switch {
	case len(ms) > 1:
		attrs = append(attrs, semconv.MessagingBatchMessageCount(len(ms)))
	case len(ms) == 1 && idOf(ms[0]) != "":
		attrs = append(attrs, semconv.MessagingMessageID(idOf(ms[0])))
	}
	ctx, span := t.tracer.Start(ctx, named("consume", eventType),
		trace.WithSpanKind(trace.SpanKindConsumer), trace.WithAttributes(attrs...), trace.WithLinks(links...))
	return ctx, func(fresh int, err error) {
		span.SetAttributes(keyFresh.Int(fresh))
		finish(span, err)
	}
}

// parent is the write that the span is a child of, unless it is a child of the
// span in ctx, and what else it is linked to.
func (t *Telemetry) parent(ctx context.Context, ms []outbox.Received) (parent trace.SpanContext, links []trace.Link) {
	around := trace.SpanContextFromContext(ctx)
	writes := make([]trace.SpanContext, 0, len(ms))
	one := true // all writes are of one trace
	for i := range ms {
		if write := t.stored.of(ms[i].Headers); write.IsValid() {
			one = one && (len(writes) == 0 || write.TraceID() == writes[0].TraceID())
			writes = append(writes, write)
		}
	}
	link := func(spans ...trace.SpanContext) {
		for _, s := range spans[:min(len(spans), maxLinks)] {
			links = append(links, trace.Link{SpanContext: s})
		}
	}
	switch {
	case len(writes) == 0:
	case !one, around.IsValid() && around.TraceID() == writes[0].TraceID():
		link(writes...)
	default:
		parent = writes[0]
		if around.IsValid() {
			link(around)
		}
		link(writes[1:]...)
	}
	return parent, links
}

// typeOf is the event type of all messages, or "".
func typeOf(ms []outbox.Received) string {
	for i := range ms {
		if ms[i].EventType != ms[0].EventType {
			return ""
		}
	}
	if len(ms) == 0 {
		return ""
	}
	return ms[0].EventType
}

func idOf(m outbox.Received) string {
	if m.EventID != "" {
		return m.EventID
	}
	return m.Headers[outbox.HeaderEventID]
}
