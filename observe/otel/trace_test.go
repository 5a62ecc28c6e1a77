package otel_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/inbox"
	"github.com/sendoff-go/outbox/internal/await"
	"github.com/sendoff-go/outbox/observe/otel"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/sink/memsink"
	"github.com/sendoff-go/outbox/store/memstore"
)

func placed(id string) outbox.Event {
	return outbox.Event{ID: id, Type: "OrderPlaced", AggregateType: "Order", AggregateID: "1", CorrelationID: "c", JSON: []byte(`{"n":1}`)}
}

// request writes an event in the handler of an HTTP request, whose span it
// begins as an instrumented server does.
func (r *rig) request(e outbox.Event) {
	r.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		ctx, span := r.provider.Tracer("shop").Start(req.Context(), "POST /orders", trace.WithSpanKind(trace.SpanKindServer))
		defer span.End()
		if err := r.write(ctx, e); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	}))
	defer srv.Close()
	answer, err := http.Post(srv.URL+"/orders", "application/json", http.NoBody)
	if err != nil {
		r.Fatal(err)
	}
	_ = answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		r.Fatal(answer.Status)
	}
}

func TestOneTraceLeadsFromTheRequestToTheEffect(t *testing.T) {
	sink, err := memsink.New(memsink.Config{Capacity: 10})
	if err != nil {
		t.Fatal(err)
	}
	// A busy machine may need long between the write and the delivery.
	r := newRig(t, otel.Config{}, relay.Config{HeadStart: time.Minute}, func(r *rig) { r.reg.Route("OrderPlaced", sink, outbox.To("orders")) })
	consumer, err := inbox.New(memstore.New(memstore.Config{}), r.tel.Inbox(inbox.Config{Group: "billing"}))
	if err != nil {
		t.Fatal(err)
	}
	r.run()
	r.request(placed("1"))
	message := <-sink.Messages()
	for range 2 { // the second one is a duplicate
		err := consumer.Consume(t.Context(), memsink.Message(message), func(ctx context.Context, tx *memstore.Tx) error {
			_, effect := r.provider.Tracer("shop").Start(ctx, "effect")
			defer effect.End()
			return tx.Put("invoice", "open")
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	await.Until(t, "the delivery has ended", func() bool { return len(r.named("deliver orders")) == 1 })

	request, write, deliver := r.one("POST /orders"), r.one("write OrderPlaced"), r.one("deliver orders")
	consumed, effect := r.named("consume OrderPlaced"), r.one("effect")
	if len(consumed) != 2 {
		t.Fatalf("%d consumptions", len(consumed))
	}
	r.childOf(write, request)
	r.childOf(deliver, write)
	r.childOf(consumed[0], write)
	r.childOf(consumed[1], write)
	r.childOf(effect, consumed[0])
	if message.Event.TraceID != request.SpanContext.TraceID().String() {
		t.Errorf("the event has the trace id %q", message.Event.TraceID)
	}
	r.has(write, trace.SpanKindProducer, text("messaging.system", "outbox"), text("messaging.operation.name", "write"), text("messaging.operation.type", "create"),
		text("messaging.destination.name", "OrderPlaced"), text("messaging.message.id", "1"))
	r.has(deliver, trace.SpanKindClient, text("messaging.system", "mem"), text("messaging.operation.name", "deliver"), text("messaging.operation.type", "send"),
		text("messaging.destination.name", "orders"), text("messaging.message.id", "1"), text("messaging.message.conversation_id", "c"),
		attribute.Int("messaging.message.body.size", 7), text("outbox.event_type", "OrderPlaced"), attribute.Int("outbox.attempt", 1), text("outbox.path", "hot"))
	for i, fresh := range []int{1, 0} {
		r.has(consumed[i], trace.SpanKindConsumer, text("messaging.system", "outbox"), text("messaging.operation.name", "consume"), text("messaging.operation.type", "process"),
			text("messaging.destination.name", "OrderPlaced"), text("messaging.consumer.group.name", "billing"), text("messaging.message.id", "1"), attribute.Int("outbox.fresh", fresh))
	}
}

func TestAListenerRunsInTheSpanOfItsDelivery(t *testing.T) {
	var seen, inner trace.SpanContext
	r := newRig(t, otel.Config{}, relay.Config{}, func(r *rig) {
		consumer, err := inbox.New(memstore.New(memstore.Config{}), r.tel.Inbox(inbox.Config{Group: "billing"}))
		if err != nil {
			t.Fatal(err)
		}
		listener := consumer.Listener(func(ctx context.Context, _ *memstore.Tx, _ outbox.Event) error {
			inner = trace.SpanContextFromContext(ctx)
			return nil
		})
		r.reg.Handle("OrderPlaced", func(ctx context.Context, e outbox.Event) error {
			seen = trace.SpanContextFromContext(ctx)
			return listener(ctx, e)
		})
	})
	if err := r.write(t.Context(), placed("1")); err != nil {
		t.Fatal(err)
	}
	r.once()
	write, deliver, consume := r.one("write OrderPlaced"), r.one("deliver OrderPlaced"), r.one("consume OrderPlaced")
	r.childOf(deliver, write)
	r.childOf(consume, deliver)
	r.has(deliver, trace.SpanKindConsumer, text("messaging.system", "outbox"), text("messaging.operation.type", "process"), text("outbox.path", "cold"))
	if !seen.Equal(deliver.SpanContext) || !inner.Equal(consume.SpanContext) {
		t.Error("the listener or the handler has another span in its context")
	}
	if len(consume.Links) != 1 || !consume.Links[0].SpanContext.Equal(write.SpanContext.WithRemote(true)) {
		t.Errorf("the consumption has the links %+v, want one to the write", consume.Links)
	}
}

func TestEachAttemptHasASpanThatSaysHowItEnded(t *testing.T) {
	errs := []error{errors.New("no"), outbox.Unavailable(errors.New("away")), outbox.Permanent(errors.New("never"))}
	for i, want := range []string{"*errors.errorString", "unavailable", "permanent"} {
		t.Run(want, func(t *testing.T) {
			r := newRig(t, otel.Config{}, relay.Config{}, func(r *rig) {
				r.reg.Handle("OrderPlaced", func(context.Context, outbox.Event) error { return errs[i] })
			})
			if err := r.write(t.Context(), placed("1")); err != nil {
				t.Fatal(err)
			}
			r.once()
			deliver := r.one("deliver OrderPlaced")
			if deliver.Status.Code != codes.Error || deliver.Status.Description == "" {
				t.Errorf("the status is %+v", deliver.Status)
			}
			r.has(deliver, trace.SpanKindConsumer, text("error.type", want))
		})
	}
}

func TestABatchHasASpanWithALinkToEachWrite(t *testing.T) {
	var batch trace.SpanContext
	r := newRig(t, otel.Config{}, relay.Config{Lane: relay.LaneConfig{DeliverBatch: 10}}, func(r *rig) {
		r.reg.HandleBatch("OrderPlaced", func(ctx context.Context, _ []outbox.Event) []error {
			batch = trace.SpanContextFromContext(ctx)
			return []error{nil, errors.New("no")}
		})
	})
	for _, id := range []string{"1", "2"} {
		if err := r.write(t.Context(), placed(id)); err != nil {
			t.Fatal(err)
		}
	}
	r.once()
	writes, delivered, whole := r.named("write OrderPlaced"), r.named("deliver OrderPlaced"), r.one("deliver_batch OrderPlaced")
	if len(writes) != 2 || len(delivered) != 2 || !batch.Equal(whole.SpanContext) {
		t.Fatalf("%d writes, %d deliveries, in %+v", len(writes), len(delivered), batch)
	}
	for i, write := range writes {
		r.childOf(delivered[i], write)
		if !whole.Links[i].SpanContext.Equal(write.SpanContext.WithRemote(true)) {
			t.Errorf("link %d leads to %+v", i, whole.Links[i].SpanContext)
		}
	}
	r.has(whole, trace.SpanKindConsumer, attribute.Int("messaging.batch.message_count", 2), attribute.Int("outbox.failed", 1))
	if delivered[0].Status.Code == codes.Error || delivered[1].Status.Code != codes.Error {
		t.Error("an event has the result of another")
	}
}

func TestWhatWasRolledBackIsNotDelivered(t *testing.T) {
	r := newRig(t, otel.Config{}, relay.Config{}, func(r *rig) {
		r.reg.Handle("OrderPlaced", func(context.Context, outbox.Event) error { return nil })
	})
	no := errors.New("no")
	err := r.writer.InTx(t.Context(), func(ctx context.Context, tx *memstore.Tx) error {
		_, err := r.writer.Write(ctx, tx, placed("1"))
		return errors.Join(err, no)
	})
	if !errors.Is(err, no) {
		t.Fatal(err)
	}
	r.once()
	if err := r.write(t.Context(), outbox.Event{Type: "OrderPlaced"}); err == nil {
		t.Error("an event without a payload was written")
	}
	writes := r.named("write OrderPlaced")
	if n := len(r.spans.GetSpans()); n != 2 || len(writes) != 2 {
		t.Fatalf("there are %d spans, want those of two writes", n)
	}
	if writes[0].Status.Code == codes.Error || writes[1].Status.Code != codes.Error {
		t.Error("a rollback is no failure of the write, and a refused write is one")
	}
}

func TestAConsumerOfSeveralTracesIsLinkedToThem(t *testing.T) {
	r := newRig(t, otel.Config{}, relay.Config{}, func(*rig) {})
	message := func(id, name string) (outbox.Received, tracetest.SpanStub) {
		hook := r.tel.WriteHook()
		ctx, end := hook.AroundWrite(t.Context(), []outbox.Event{{Type: name}})
		e, err := hook.BeforeWrite(ctx, outbox.Event{ID: id, Type: name})
		end(err)
		return e.Received(), r.one("write " + name)
	}
	a, writeA := message("1", "A")
	b, writeB := message("2", "B")
	poll, polling := r.provider.Tracer("shop").Start(t.Context(), "poll")
	for _, c := range []struct {
		name   string
		ctx    context.Context
		ms     []outbox.Received
		parent trace.SpanID
		links  []trace.SpanID
	}{
		{"of one trace", t.Context(), []outbox.Received{a, a}, writeA.SpanContext.SpanID(), []trace.SpanID{writeA.SpanContext.SpanID()}},
		{"of one, in another", poll, []outbox.Received{a}, writeA.SpanContext.SpanID(), []trace.SpanID{polling.SpanContext().SpanID()}},
		{"of two", t.Context(), []outbox.Received{a, b}, trace.SpanID{}, []trace.SpanID{writeA.SpanContext.SpanID(), writeB.SpanContext.SpanID()}},
		{"of two, in a third", poll, []outbox.Received{a, b}, polling.SpanContext().SpanID(), []trace.SpanID{writeA.SpanContext.SpanID(), writeB.SpanContext.SpanID()}},
		{"of none, in one", poll, []outbox.Received{{EventID: "3"}}, polling.SpanContext().SpanID(), nil},
		{"of none", t.Context(), []outbox.Received{{EventID: "3"}}, trace.SpanID{}, nil},
	} {
		r.spans.Reset()
		_, end := r.tel.Consume(c.ctx, "billing", c.ms...)
		end(len(c.ms), nil)
		span := r.spans.GetSpans()[0]
		var links []trace.SpanID
		for _, l := range span.Links {
			links = append(links, l.SpanContext.SpanID())
		}
		if span.Parent.SpanID() != c.parent || !equal(links, c.links) {
			t.Errorf("%s: parent %s, links %v; want %s, %v", c.name, span.Parent.SpanID(), links, c.parent, c.links)
		}
	}
}

func equal(a, b []trace.SpanID) bool {
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			return false
		}
	}
	return len(a) == len(b)
}
