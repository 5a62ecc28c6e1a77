package outbox_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// answers is a listener that can be told apart by its error.
func answers(name string) outbox.Listener {
	return func(context.Context, outbox.Event) error { return errors.New(name) }
}

type sink struct {
	name string
	sent []outbox.Message
	errs func(n int) []error
}

func (s *sink) Send(_ context.Context, batch []outbox.Message) []error {
	s.sent = append(s.sent, batch...)
	if s.errs == nil {
		return nil
	}
	return s.errs(len(batch))
}

// tells is what the destination of an event answers, or "none".
func tells(reg *outbox.Registry, aggregate, eventType string) string {
	t := reg.Lookup(aggregate, eventType)
	if t == nil {
		return "none"
	}
	if err := driver.DestinationOf(t).DeliverOne(context.Background(), outbox.Event{Type: eventType}); err != nil {
		return err.Error()
	}
	return "sink"
}

func TestTheMostSpecificRegistrationIsFound(t *testing.T) {
	reg := outbox.NewRegistry()
	reg.Handle("placed", answers("placed"), outbox.Otherwise())
	reg.HandleAggregate("Order", "placed", answers("Order placed"))
	reg.HandleAggregate("Order", "shipped", answers("Order shipped"))
	fails := func(name string) *sink {
		return &sink{errs: func(int) []error { return []error{errors.New(name)} }}
	}
	reg.Route("*", fails("*"), outbox.Otherwise())
	reg.Route("order-*", fails("order-*"), outbox.Otherwise())
	reg.Route("order-p*", fails("order-p*"), outbox.Otherwise())
	reg.Route("order-placed", fails("order-placed"))
	if err := reg.Err(); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ aggregate, eventType, want string }{
		{"Order", "placed", "Order placed"},
		{"Invoice", "placed", "placed"},
		{outbox.GlobalAggregate, "placed", "placed"},
		{"Order", "shipped", "Order shipped"},
		{"Invoice", "shipped", "*"},
		{"X", "order-placed", "order-placed"},
		{"X", "order-paid", "order-p*"},
		{"X", "order-cancelled", "order-*"},
		{"X", "Placed", "*"},
	} {
		if got := tells(reg, tt.aggregate, tt.eventType); got != tt.want {
			t.Errorf("%s of %s goes to %q, expected %q", tt.eventType, tt.aggregate, got, tt.want)
		}
	}
}

func TestWithoutARegistrationThereIsNoTarget(t *testing.T) {
	reg := outbox.NewRegistry()
	reg.HandleAggregate("Order", "placed", answers("x"))
	if got := tells(reg, "Invoice", "placed"); got != "none" {
		t.Errorf("found %q", got)
	}
	if !reg.Covers("placed") || reg.Covers("shipped") {
		t.Error("the type placed is covered, for one aggregate at least, and shipped is not")
	}
	reg.Route("ship*", &sink{})
	if !reg.Covers("shipped") {
		t.Error("a pattern covers shipped")
	}
	if got := reg.Types(); !slices.Equal(got, []string{"placed"}) {
		t.Errorf("types %q, expected those registered by name", got)
	}
}

func TestContradictionsAreReportedAllAtOnce(t *testing.T) {
	reg := outbox.NewRegistry()
	one := answers("x")
	reg.Handle("twice", one)
	reg.HandleBatch("twice", func(context.Context, []outbox.Event) []error { return nil })
	reg.Handle("routed", one)
	reg.Route("routed", &sink{})
	reg.HandleAggregate("Order", "placed", one)
	reg.HandleAggregate("Order", "placed", one)
	reg.Route("a*", &sink{})
	reg.Route("a*", &sink{})
	reg.Route("[", &sink{})
	reg.Route("nil", nil)
	reg.Handle("nothing", nil)
	reg.Handle("", one)
	reg.Handle("handled-*", one)
	err := reg.Err()
	if !errors.Is(err, outbox.ErrRegistry) {
		t.Fatalf("error %v, expected ErrRegistry", err)
	}
	for _, want := range []string{`"twice"`, `"routed"`, `"placed" of aggregate "Order"`, `"a*"`, `"["`, `"nil"`, `"nothing"`, "names no event type", `"handled-*" would never be called`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error says nothing of %s:\n%v", want, err)
		}
	}
	if got := tells(reg, "x", "twice"); got != "x" {
		t.Errorf("the first registration is gone: %s", got)
	}
}

func TestAnAggregateBesideAnyIsNoContradictionIfItIsMeant(t *testing.T) {
	reg := outbox.NewRegistry()
	reg.Handle("placed", answers("any"), outbox.Otherwise())
	reg.HandleAggregate("Order", "placed", answers("Order"))
	reg.Route("*", &sink{}, outbox.Otherwise())
	if err := reg.Err(); err != nil {
		t.Error(err)
	}
}

func TestTargetsOfOneDestinationShareAName(t *testing.T) {
	a, b := &sink{name: "a"}, &sink{name: "b"}
	reg := outbox.NewRegistry()
	reg.Route("x", a, outbox.To("topic"))
	reg.Route("y", a, outbox.To("topic"))
	reg.Route("other", a, outbox.To("other"))
	reg.Route("z", b, outbox.To("topic"))
	name := func(eventType string) string { return reg.Lookup("", eventType).Name() }
	if name("x") != name("y") {
		t.Errorf("%s and %s are one destination", name("x"), name("y"))
	}
	if name("x") == name("other") || name("x") == name("z") {
		t.Errorf("%s, %s and %s are three destinations", name("x"), name("other"), name("z"))
	}
}

func TestWhatRoutesComputeIsEachRoutesOwn(t *testing.T) {
	s := &sink{}
	tenant := outbox.ToFunc(func(e outbox.Event) string { return e.TenantID })
	customer := outbox.ToFunc(func(e outbox.Event) string { return e.AggregateID })
	reg := outbox.NewRegistry()
	reg.Route("a", s, tenant)
	reg.Route("b", s, customer)
	if a, b := reg.Lookup("", "a").Name(), reg.Lookup("", "b").Name(); a == b {
		t.Errorf("both are %s", a)
	}
	reg.Route("c*", s, tenant)
	reg.Route("cd", s, customer)
	if err := reg.Err(); err == nil {
		t.Error("a route takes events from another that sends them elsewhere, without an error")
	}
}

func TestASlashDoesNotMakeOneListenerOfTwo(t *testing.T) {
	reg := outbox.NewRegistry()
	reg.Handle("a/b/c", answers("1"))
	reg.Handle("Order/placed", answers("2"))
	reg.HandleAggregate("a", "b/c", answers("3"))
	reg.HandleAggregate("a/b", "c", answers("4"))
	reg.HandleAggregate("Order", "placed", answers("5"))
	names := map[string]bool{}
	for _, e := range [][2]string{{"", "a/b/c"}, {"", "Order/placed"}, {"a", "b/c"}, {"a/b", "c"}, {"Order", "placed"}} {
		names[reg.Lookup(e[0], e[1]).Name()] = true
	}
	if len(names) != 5 {
		t.Errorf("5 listeners have the names %v", names)
	}
}

// wrapper is comparable by its type; what it holds may not be.
type wrapper struct{ outbox.Sink }

type sinkFunc func(context.Context, []outbox.Message) []error

func (f sinkFunc) Send(ctx context.Context, batch []outbox.Message) []error { return f(ctx, batch) }

func TestSinksThatCannotBeComparedAreTakenForDifferentOnes(t *testing.T) {
	s := wrapper{sinkFunc(func(context.Context, []outbox.Message) []error { return nil })}
	reg := outbox.NewRegistry()
	reg.Route("a", s, outbox.To("x"))
	reg.Route("b", s, outbox.To("x"))
	if a, b := reg.Lookup("", "a").Name(), reg.Lookup("", "b").Name(); a == b {
		t.Errorf("both are %s", a)
	}
}

func TestListenersOfOneTypeForDifferentAggregatesAreDifferentTargets(t *testing.T) {
	reg := outbox.NewRegistry()
	reg.HandleAggregate("Order", "placed", answers("a"))
	reg.HandleAggregate("Invoice", "placed", answers("b"))
	reg.Handle("placed", answers("c"))
	names := map[string]bool{}
	for _, aggregate := range []string{"Order", "Invoice", "Other"} {
		names[reg.Lookup(aggregate, "placed").Name()] = true
	}
	if len(names) != 3 {
		t.Errorf("names %v", names)
	}
}

func TestARegistryIsSafeForConcurrentUse(t *testing.T) {
	reg := outbox.NewRegistry()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 100 {
				name := string(rune('a'+i)) + string(rune('0'+j%10))
				reg.Handle(name, answers(name))
				reg.Lookup("", name)
				reg.Covers(name)
				reg.Types()
				_ = reg.Err()
			}
		})
	}
	wg.Wait()
}

// calledSink has a name of its own.
type calledSink struct{ name string }

func (calledSink) Send(context.Context, []outbox.Message) []error { return nil }

func (s calledSink) String() string { return s.name }

func TestATargetTellsItsPatternAndTheNameOfItsSink(t *testing.T) {
	reg := outbox.NewRegistry()
	reg.Route("order-*", calledSink{"kafka"}, outbox.To("orders"))
	reg.Route("order-paid", calledSink{"nats"})
	for eventType, want := range map[string][2]string{
		"order-new": {"order-*", "kafka#0:orders"}, "order-paid": {"order-paid", "nats#1:order-paid"},
	} {
		target := reg.Lookup("", eventType)
		if got := [2]string{target.Pattern(), target.Name()}; got != want {
			t.Errorf("%s goes to %v, want %v", eventType, got, want)
		}
	}
}
