package otel_test

import (
	"context"
	"fmt"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/inbox"
	"github.com/sendoff-go/outbox/observe/otel"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/sink/memsink"
	"github.com/sendoff-go/outbox/store/memstore"
)

// One trace leads from the write through the broker to the consumer.
func Example() {
	ctx := context.Background()
	spans := tracetest.NewInMemoryExporter() // in earnest one of package otlp
	provider := sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))

	store := memstore.New(memstore.Config{}) // in earnest one of PostgreSQL, MySQL or SQLite
	broker, err := memsink.New(memsink.Config{Capacity: 1})
	if err != nil {
		panic(err)
	}
	reg := outbox.NewRegistry()
	reg.Route("OrderPlaced", broker, outbox.To("orders"))

	t := otel.New(otel.Config{TracerProvider: provider, Types: reg.Types(), Store: store})
	r, err := relay.New(store, reg, t.Relay(relay.Config{}))
	if err != nil {
		panic(err)
	}
	w := outbox.NewWriter(store, t.Writer())
	billing, err := inbox.New(memstore.New(memstore.Config{}), t.Inbox(inbox.Config{Group: "billing"}))
	if err != nil {
		panic(err)
	}

	err = w.InTx(ctx, func(ctx context.Context, tx *memstore.Tx) error {
		_, err := w.Write(ctx, tx, outbox.Event{Type: "OrderPlaced", AggregateID: "order 1", JSON: []byte(`{}`)})
		return err
	})
	if err != nil {
		panic(err)
	}
	if _, err := r.RunOnce(ctx); err != nil {
		panic(err)
	}
	err = billing.Consume(ctx, memsink.Message(<-broker.Messages()), func(_ context.Context, tx *memstore.Tx) error {
		return tx.Put("invoice", "open")
	})
	if err != nil {
		panic(err)
	}

	recorded := spans.GetSpans()
	for _, s := range recorded {
		fmt.Println(s.SpanKind, s.Name, s.SpanContext.TraceID() == recorded[0].SpanContext.TraceID())
	}
	// Output:
	// producer write OrderPlaced true
	// client deliver orders true
	// consumer consume OrderPlaced true
}
