package otel_test

import (
	"context"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
	"go.uber.org/goleak"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/await"
	"github.com/sendoff-go/outbox/observe/otel"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/memstore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// rig is a store with a writer and a relay, all of them traced.
type rig struct {
	*testing.T
	spans    *tracetest.InMemoryExporter
	provider *sdktrace.TracerProvider
	store    *memstore.Store
	reg      *outbox.Registry
	tel      *otel.Telemetry
	relay    *relay.Relay
	writer   *outbox.Writer[*memstore.Tx]
}

func newRig(t *testing.T, c otel.Config, rc relay.Config, register func(r *rig)) *rig {
	t.Helper()
	r := &rig{T: t, spans: tracetest.NewInMemoryExporter(), store: memstore.New(memstore.Config{}), reg: outbox.NewRegistry()}
	r.provider = sdktrace.NewTracerProvider(sdktrace.WithSyncer(r.spans))
	if c.TracerProvider == nil {
		c.TracerProvider = r.provider
	}
	r.tel = otel.New(c)
	register(r)
	var err error
	if r.relay, err = relay.New(r.store, r.reg, r.tel.Relay(rc)); err != nil {
		t.Fatal(err)
	}
	r.writer = outbox.NewWriter(r.store, r.relay.HotPath(), r.tel.Writer())
	return r
}

// run runs the relay until the test ends, and returns once it takes events.
func (r *rig) run() {
	r.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- r.relay.Run(ctx) }()
	r.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			r.Error(err)
		}
	})
	await.Until(r, "the relay has announced itself", func() bool {
		running, err := r.store.Instances(ctx)
		return err == nil && len(running) == 1
	})
}

// write writes events in one transaction.
func (r *rig) write(ctx context.Context, es ...outbox.Event) error {
	return r.writer.InTx(ctx, func(ctx context.Context, tx *memstore.Tx) error {
		_, err := r.writer.WriteAll(ctx, tx, es...)
		return err
	})
}

// once delivers what is due.
func (r *rig) once() {
	r.Helper()
	if _, err := r.relay.RunOnce(r.Context()); err != nil {
		r.Fatal(err)
	}
}

// named are the spans of a name, in the order of their end.
func (r *rig) named(name string) (found []tracetest.SpanStub) {
	for _, s := range r.spans.GetSpans() {
		if s.Name == name {
			found = append(found, s)
		}
	}
	return found
}

// one is the only span of a name.
func (r *rig) one(name string) tracetest.SpanStub {
	r.Helper()
	found := r.named(name)
	if len(found) != 1 {
		var all []string
		for _, s := range r.spans.GetSpans() {
			all = append(all, s.Name)
		}
		r.Fatalf("%d spans are called %q, among %q", len(found), name, all)
	}
	return found[0]
}

// has checks kind and attributes of a span.
func (r *rig) has(s tracetest.SpanStub, kind trace.SpanKind, attrs ...attribute.KeyValue) {
	r.Helper()
	if s.SpanKind != kind {
		r.Errorf("%s is a %s, want a %s", s.Name, s.SpanKind, kind)
	}
	set := attribute.NewSet(s.Attributes...)
	for _, want := range attrs {
		if got, ok := set.Value(want.Key); !ok || got != want.Value {
			r.Errorf("%s has %s=%v, want %v", s.Name, want.Key, got.Emit(), want.Value.Emit())
		}
	}
}

func text(key, value string) attribute.KeyValue { return attribute.String(key, value) }

// childOf checks the parent of a span.
func (r *rig) childOf(child, parent tracetest.SpanStub) {
	r.Helper()
	if child.Parent.SpanID() != parent.SpanContext.SpanID() || child.SpanContext.TraceID() != parent.SpanContext.TraceID() {
		r.Errorf("%s is no child of %s", child.Name, parent.Name)
	}
}
