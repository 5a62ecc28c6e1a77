package otel

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/sendoff-go/outbox"
)

// Interceptor makes a span for each attempt to deliver an event, as a child of
// the write, and one more for several that go to their destination together.
// Give it to a relay as the first of its interceptors, as [Telemetry.Relay] does.
func (t *Telemetry) Interceptor() outbox.Interceptor {
	return outbox.Interceptor{Before: t.deliver, After: delivered, AroundBatch: t.deliverBatch}
}

// delivery is the context key of the span of a delivery: other interceptors may
// have begun others within it.
type delivery struct{}

func (t *Telemetry) deliver(ctx context.Context, e outbox.Event) (context.Context, error) {
	d, _ := outbox.DeliveryFrom(ctx)
	to := t.targets.of(d.Target, e.Type)
	if parent := t.stored.of(e.Headers); parent.IsValid() {
		ctx = trace.ContextWithRemoteSpanContext(ctx, parent)
	}
	ctx, span := t.tracer.Start(t.stored.bags(ctx, e.Headers), to.name, to.start...)
	if span.IsRecording() {
		path := "cold"
		if d.Hot {
			path = "hot"
		}
		attrs := append(make([]attribute.KeyValue, 0, 6),
			semconv.MessagingMessageID(e.ID), semconv.MessagingMessageBodySize(len(e.Payload())),
			keyEventType.String(e.Type), keyAttempt.Int(d.Attempt), keyPath.String(path))
		if e.CorrelationID != "" {
			attrs = append(attrs, semconv.MessagingMessageConversationID(e.CorrelationID))
		}
		span.SetAttributes(attrs...)
	}
	return context.WithValue(ctx, delivery{}, span), nil
}

func delivered(ctx context.Context, _ outbox.Event, err error) {
	if span, ok := ctx.Value(delivery{}).(trace.Span); ok {
		finish(span, err)
	}
}

// maxLinks bounds the links of a span, as the SDK does by default.
const maxLinks = 128

func (t *Telemetry) deliverBatch(ctx context.Context, es []outbox.Event) (context.Context, func([]error)) {
	var links []trace.Link
	for i := range es {
		if write := t.stored.of(es[i].Headers); write.IsSampled() && len(links) < maxLinks {
			links = append(links, trace.Link{SpanContext: write})
		}
	}
	if len(links) == 0 { // no trace would lead to it
		return ctx, nil
	}
	d, _ := outbox.DeliveryFrom(ctx)
	to := t.targets.of(d.Target, es[0].Type)
	ctx, span := t.tracer.Start(ctx, to.batch, append(to.starts[:len(to.starts):len(to.starts)], trace.WithLinks(links...))...)
	span.SetAttributes(semconv.MessagingBatchMessageCount(len(es)))
	return ctx, func(errs []error) {
		var first error
		failed := 0
		for _, err := range errs {
			if err != nil {
				failed++
				if first == nil {
					first = err
				}
			}
		}
		span.SetAttributes(keyFailed.Int(failed))
		finish(span, first)
	}
}
