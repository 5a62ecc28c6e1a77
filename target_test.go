package outbox_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/sink/memsink"
)

func lookup(t *testing.T, register func(reg *outbox.Registry)) driver.Destination {
	t.Helper()
	reg := outbox.NewRegistry()
	register(reg)
	if err := reg.Err(); err != nil {
		t.Fatal(err)
	}
	return driver.DestinationOf(reg.Lookup("", "T"))
}

func TestATargetAnswersForEachEvent(t *testing.T) {
	es := []outbox.Event{named("ok"), named("bad"), named("ok")}
	byID := func(e outbox.Event) error {
		if e.ID == "bad" {
			return errCause
		}
		return nil
	}
	batch := func(_ context.Context, es []outbox.Event) []error {
		errs := make([]error, len(es))
		for i, e := range es {
			errs[i] = byID(e)
		}
		return errs
	}
	for name, target := range map[string]driver.Destination{
		"listener": lookup(t, func(reg *outbox.Registry) {
			reg.Handle("T", func(_ context.Context, e outbox.Event) error { return byID(e) })
		}),
		"batch": lookup(t, func(reg *outbox.Registry) { reg.HandleBatch("T", batch) }),
		"sink": lookup(t, func(reg *outbox.Registry) {
			reg.Route("T", &sink{errs: func(int) []error { return []error{nil, errCause, nil} }})
		}),
	} {
		errs := target.Deliver(t.Context(), es)
		if len(errs) != 3 || errs[0] != nil || !errors.Is(errs[1], errCause) || errs[2] != nil {
			t.Errorf("%s: %v", name, errs)
		}
		if target.Batches() != (name != "listener") {
			t.Errorf("%s takes batches: %t", name, target.Batches())
		}
	}
}

func TestNilMeansThatAllWereDelivered(t *testing.T) {
	target := lookup(t, func(reg *outbox.Registry) { reg.Route("T", &sink{}) })
	errs := target.Deliver(t.Context(), []outbox.Event{named("a"), named("b")})
	if len(errs) != 2 || errs[0] != nil || errs[1] != nil {
		t.Errorf("errors %v", errs)
	}
}

func TestAWrongNumberOfAnswersFailsAll(t *testing.T) {
	for _, n := range []int{0, 1, 3} {
		target := lookup(t, func(reg *outbox.Registry) {
			reg.Route("T", &sink{errs: func(int) []error { return make([]error, n) }})
		})
		errs := target.Deliver(t.Context(), []outbox.Event{named("a"), named("b")})
		if len(errs) != 2 || errs[0] == nil || errs[1] == nil {
			t.Errorf("%d answers for 2 events: %v, expected an error for each", n, errs)
		}
	}
}

type checkedSink struct{ sink }

func (*checkedSink) Check(context.Context) error { return errCause }

func TestASinkThatCanBeCheckedIs(t *testing.T) {
	checked := lookup(t, func(reg *outbox.Registry) { reg.Route("T", &checkedSink{}) })
	if check := checked.Check(); check == nil || !errors.Is(check(t.Context()), errCause) {
		t.Error("the sink's own check was not found")
	}
	for name, target := range map[string]driver.Destination{
		"sink":     lookup(t, func(reg *outbox.Registry) { reg.Route("T", &sink{}) }),
		"listener": lookup(t, func(reg *outbox.Registry) { reg.Handle("T", answers("x")) }),
	} {
		if target.Check() != nil {
			t.Errorf("a %s has no check", name)
		}
	}
}

// eachSink can be asked about its destinations one by one.
type eachSink struct{ checkedSink }

func (*eachSink) CheckDestination(_ context.Context, m outbox.Message) error {
	return fmt.Errorf("asked about %s, by its type: %t", m.Destination, m.ByType)
}

func TestADestinationIsCheckedByItselfWhereTheRouteHasOne(t *testing.T) {
	s := &eachSink{}
	reg := outbox.NewRegistry()
	reg.Route("fixed", s, outbox.To("x"))
	reg.Route("typed", s)
	reg.Route("order-*", s, outbox.To("y"))
	reg.Route("any-*", s)
	reg.Route("computed", s, outbox.ToFunc(func(e outbox.Event) string { return e.Type }))
	for eventType, want := range map[string]string{
		"fixed": "asked about x, by its type: false", "typed": "asked about typed, by its type: true",
		"order-new": "asked about y, by its type: false",
		"any-one":   errCause.Error(), "computed": errCause.Error(),
	} {
		if got := driver.DestinationOf(reg.Lookup("", eventType)).Check()(t.Context()); got == nil || got.Error() != want {
			t.Errorf("%s: %v, want %s", eventType, got, want)
		}
	}
}

func TestAMessageSaysWhatItIs(t *testing.T) {
	s := &sink{}
	target := lookup(t, func(reg *outbox.Registry) {
		reg.Route("*", s,
			outbox.ToFunc(func(e outbox.Event) string { return "topic-" + e.TenantID }),
			outbox.WithHeaders(map[string]string{"fixed": "1", "own": "fixed"}))
	})
	e := outbox.Event{ID: "id", Type: "T", AggregateType: "Order", AggregateID: "4711", TenantID: "t", CorrelationID: "c", TraceID: "tr",
		JSON: []byte(`1`), Headers: map[string]string{"own": "event", outbox.HeaderEventID: "forged"}}
	if err := target.DeliverOne(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	m := s.sent[0]
	if m.Destination != "topic-t" || m.Key != "4711" || string(m.Payload()) != "1" {
		t.Errorf("to %q with key %q: %s", m.Destination, m.Key, m.Payload())
	}
	want := map[string]string{
		"fixed": "1", "own": "event",
		outbox.HeaderEventID: "id", outbox.HeaderEventType: "T", outbox.HeaderAggregateType: "Order", outbox.HeaderAggregateID: "4711",
		outbox.HeaderTenantID: "t", outbox.HeaderCorrelationID: "c", outbox.HeaderTraceID: "tr",
	}
	if !maps.Equal(m.Headers, want) {
		t.Errorf("headers %v, expected %v", m.Headers, want)
	}
	if len(e.Headers) != 2 {
		t.Errorf("the event's own headers became %v", e.Headers)
	}
}

func TestAMessageGoesToItsTypeUnderItsAggregate(t *testing.T) {
	s := &sink{}
	target := lookup(t, func(reg *outbox.Registry) { reg.Route("*", s) })
	_ = target.DeliverOne(t.Context(), outbox.Event{ID: "id", Type: "T", JSON: []byte(`1`)})
	if m := s.sent[0]; m.Destination != "T" || m.Key != "" || len(m.Headers) != 2 {
		t.Errorf("to %q with key %q and headers %v", m.Destination, m.Key, m.Headers)
	}
	keyed := lookup(t, func(reg *outbox.Registry) {
		reg.Route("T", s, outbox.KeyFunc(func(e outbox.Event) string { return e.TenantID }))
	})
	_ = keyed.DeliverOne(t.Context(), outbox.Event{Type: "T", TenantID: "t", AggregateID: "a"})
	if m := s.sent[1]; m.Key != "t" {
		t.Errorf("key %q, expected the tenant", m.Key)
	}
}

func TestTheDeliveryTravelsInTheContext(t *testing.T) {
	if _, ok := outbox.DeliveryFrom(t.Context()); ok {
		t.Error("there is a delivery outside of one")
	}
	ds := []outbox.Delivery{{EventID: "a", Attempt: 3, Seq: 7, Hot: true}, {EventID: "b", Seq: 8}}
	ctx := driver.ContextWithDeliveries(t.Context(), ds)
	if got, ok := outbox.DeliveryFrom(ctx); !ok || got != ds[0] {
		t.Errorf("delivery %+v, expected %+v", got, ds[0])
	}
	if got, ok := outbox.DeliveryOf(ctx, "b"); !ok || got != ds[1] {
		t.Errorf("delivery of b %+v, expected %+v", got, ds[1])
	}
	if _, ok := outbox.DeliveryOf(ctx, "c"); ok {
		t.Error("there is a delivery of an event that is not in the batch")
	}
}

// An interceptor may have taken events out of the batch.
func TestEveryMessageHasItsOwnDelivery(t *testing.T) {
	s := &sink{}
	target := lookup(t, func(reg *outbox.Registry) { reg.Route("*", s) })
	ctx := driver.ContextWithDeliveries(t.Context(), []outbox.Delivery{{EventID: "a", Seq: 1}, {EventID: "b", Seq: 2}, {EventID: "c", Seq: 3}})
	_ = target.Deliver(ctx, []outbox.Event{{ID: "a", Type: "T"}, {ID: "x", Type: "T"}, {ID: "c", Type: "T"}})
	for i, want := range []int64{1, 0, 3} {
		if got := s.sent[i].Delivery.Seq; got != want {
			t.Errorf("message %d has seq %d, expected %d", i, got, want)
		}
	}
}

type wrapping struct{ outbox.Sink }

func (w wrapping) Unwrap() outbox.Sink { return w.Sink }
func (wrapping) String() string        { return "main" }

func TestATargetSaysWhatItsSinkAndDestinationAre(t *testing.T) {
	sink, err := memsink.New(memsink.Config{})
	if err != nil {
		t.Fatal(err)
	}
	reg := outbox.NewRegistry()
	reg.Handle("listener", func(context.Context, outbox.Event) error { return nil })
	reg.Route("topic", sink, outbox.To("orders"))
	reg.Route("type", wrapping{wrapping{sink}})
	reg.Route("secret", sink, outbox.To("https://host/p4ss"))
	reg.Route("computed", sink, outbox.ToFunc(func(e outbox.Event) string { return e.TenantID }))
	reg.Route("other-*", sink)
	for eventType, want := range map[string][2]string{
		"listener": {}, "topic": {"memsink", "orders"}, "type": {"memsink", "type"}, "secret": {"memsink", "https://host/*****"},
		"computed": {"memsink", ""}, "other-1": {"memsink", "other-*"},
	} {
		target := reg.Lookup("", eventType)
		if got := [2]string{target.Sink(), target.Destination()}; got != want {
			t.Errorf("%s: %q, want %q", eventType, got, want)
		}
	}
}

func TestTargetsTellApartWhatTheirNamesHide(t *testing.T) {
	reg := outbox.NewRegistry()
	s := calledSink{"hook"}
	reg.Route("a", s, outbox.To("https://host/p4ss-1"))
	reg.Route("b-*", s, outbox.To("https://host/p4ss-2"))
	reg.Route("c", s, outbox.To("https://host/p4ss-1"))
	name := func(eventType string) string { return reg.Lookup("", eventType).Name() }
	if name("a") == name("b-1") || name("a") != name("c") {
		t.Errorf("a is %s, b %s, c %s", name("a"), name("b-1"), name("c"))
	}
	if got := name("b-1"); got != "hook#0:https://host/***** (b-*)" || strings.Contains(name("a"), "p4ss") {
		t.Errorf("b is %s, a %s", got, name("a"))
	}
}
