package otel_test

import (
	"context"
	"testing"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/observe/otel"
)

// BenchmarkSpans is what tracing adds to the write and the delivery of one event.
func BenchmarkSpans(b *testing.B) {
	reg := outbox.NewRegistry()
	reg.Handle("OrderPlaced", func(context.Context, outbox.Event) error { return nil })
	run := driver.ContextWithDeliveries(b.Context(), []outbox.Delivery{{EventID: "1", Attempt: 1, Target: reg.Lookup("", "OrderPlaced")}})
	for name, provider := range map[string]trace.TracerProvider{
		"none":      noop.NewTracerProvider(),
		"unsampled": sdktrace.NewTracerProvider(sdktrace.WithSampler(sdktrace.NeverSample())),
		"sampled":   sdktrace.NewTracerProvider(),
	} {
		t := otel.New(otel.Config{TracerProvider: provider})
		hook, in := t.WriteHook(), t.Interceptor()
		event := outbox.Event{ID: "1", Type: "OrderPlaced", JSON: []byte("1")}
		b.Run("write/"+name, func(b *testing.B) {
			b.ReportAllocs()
			es := []outbox.Event{event}
			for b.Loop() {
				ctx, end := hook.AroundWrite(b.Context(), es)
				e, err := hook.BeforeWrite(ctx, event)
				es[0].ID = e.ID
				hook.AfterWrite(ctx, es)
				end(err)
			}
		})
		ctx, end := hook.AroundWrite(b.Context(), []outbox.Event{event})
		stored, _ := hook.BeforeWrite(ctx, event)
		end(nil)
		b.Run("deliver/"+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				ctx, _ := in.Before(run, stored)
				in.After(ctx, stored, nil)
			}
		})
	}
}
