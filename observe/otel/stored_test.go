package otel_test

import (
	"context"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/baggage"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/observe/otel"
	"github.com/sendoff-go/outbox/relay"
)

// keeping is a rig whose listener keeps what it gets.
func keeping(t *testing.T, c otel.Config) (r *rig, got *outbox.Event, ctx *context.Context) {
	t.Helper()
	got, ctx = &outbox.Event{}, new(context.Context)
	return newRig(t, c, relay.Config{}, func(r *rig) {
		r.reg.Handle("OrderPlaced", func(c context.Context, e outbox.Event) error {
			*got, *ctx = e, c
			return nil
		})
	}), got, ctx
}

func TestAContextThatTheWriterStoredIsKept(t *testing.T) {
	r, got, _ := keeping(t, otel.Config{})
	e := placed("1")
	e.Headers = map[string]string{driver.HeaderTraceParent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", driver.HeaderTraceState: "a=b", "own": "x"}
	if err := r.write(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	r.once()
	if got.Headers[driver.HeaderTraceParent] != e.Headers[driver.HeaderTraceParent] || got.Headers[driver.HeaderTraceState] != "a=b" || len(got.Headers) != 3 {
		t.Errorf("the headers became %q", got.Headers)
	}
	deliver := r.one("deliver OrderPlaced")
	if got.TraceID != "4bf92f3577b34da6a3ce929d0e0e4736" || deliver.SpanContext.TraceID().String() != got.TraceID || deliver.Parent.SpanID().String() != "00f067aa0ba902b7" {
		t.Errorf("the trace id is %q, and that of the delivery %s", got.TraceID, deliver.SpanContext.TraceID())
	}
	if deliver.SpanContext.TraceState().String() != "a=b" {
		t.Errorf("the trace state is %q", deliver.SpanContext.TraceState())
	}
}

func TestATraceIDOfTheWriterIsKept(t *testing.T) {
	r, got, _ := keeping(t, otel.Config{})
	e := placed("1")
	e.TraceID = "mine"
	if err := r.write(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	r.once()
	if got.TraceID != "mine" || got.Headers[driver.HeaderTraceParent] == "" {
		t.Errorf("the event has %q and the headers %q", got.TraceID, got.Headers)
	}
}

func TestBaggageTravelsOnlyIfAskedFor(t *testing.T) {
	member, err := baggage.NewMember("tenant", "acme")
	if err != nil {
		t.Fatal(err)
	}
	bag, err := baggage.New(member)
	if err != nil {
		t.Fatal(err)
	}
	for on, want := range map[bool]string{true: "acme", false: ""} {
		r, got, ctx := keeping(t, otel.Config{Baggage: on})
		if err := r.write(baggage.ContextWithBaggage(t.Context(), bag), placed("1")); err != nil {
			t.Fatal(err)
		}
		r.once()
		if in := baggage.FromContext(*ctx).Member("tenant").Value(); in != want || (got.Headers["baggage"] != "") != on {
			t.Errorf("asked for %v: the listener has %q, the event %q", on, in, got.Headers["baggage"])
		}
	}
}

func TestAContextThatDoesNotFitFailsNoWrite(t *testing.T) {
	r, got, _ := keeping(t, otel.Config{})
	e := placed("1")
	e.Headers = map[string]string{"own": strings.Repeat("x", outbox.MaxHeaders-20)}
	if err := r.write(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	r.once()
	if len(got.Headers) != 1 || got.TraceID == "" {
		t.Errorf("%d headers, trace id %q", len(got.Headers), got.TraceID)
	}
}

func TestATraceThatIsNotSampledStaysSo(t *testing.T) {
	r, got, _ := keeping(t, otel.Config{TracerProvider: sdktrace.NewTracerProvider(sdktrace.WithSampler(sdktrace.NeverSample()))})
	if err := r.write(t.Context(), placed("1")); err != nil {
		t.Fatal(err)
	}
	r.once()
	if h := got.Headers[driver.HeaderTraceParent]; !strings.HasSuffix(h, "-00") {
		t.Errorf("traceparent is %q", h)
	}
}

func TestWithoutATracerNothingIsStored(t *testing.T) {
	r, got, _ := keeping(t, otel.Config{TracerProvider: noop.NewTracerProvider()})
	if err := r.write(t.Context(), placed("1")); err != nil {
		t.Fatal(err)
	}
	r.once()
	if len(got.Headers) != 0 || got.TraceID != "" || got.ID != "1" {
		t.Errorf("got %+v", *got)
	}
}
