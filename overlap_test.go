package outbox_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox"
)

func TestARegistrationThatAnotherTakesFromIsAnErrorUnlessItIsMeant(t *testing.T) {
	mail := answers("mail")
	batch := func(context.Context, []outbox.Event) []error { return nil }
	for name, c := range map[string]struct {
		register func(reg *outbox.Registry, opts ...outbox.HandleOption)
		loses    string // "": nobody does
		to       string
	}{
		"a listener under a pattern": {func(reg *outbox.Registry, opts ...outbox.HandleOption) {
			reg.Route("order-*", &sink{}, routeOptions(opts)...)
			reg.Handle("order-placed", mail)
		}, `"order-*"`, `"order-placed"`},
		"a batch listener under a pattern": {func(reg *outbox.Registry, opts ...outbox.HandleOption) {
			reg.HandleBatch("order-placed", batch)
			reg.Route("*", &sink{}, routeOptions(opts)...)
		}, `"*"`, `"order-placed"`},
		"a listener of an aggregate under a pattern": {func(reg *outbox.Registry, opts ...outbox.HandleOption) {
			reg.Route("order-*", &sink{}, routeOptions(opts)...)
			reg.HandleAggregate("Order", "order-placed", mail)
		}, `"order-*"`, `"order-placed" of aggregate "Order"`},
		"a listener of an aggregate beside one of any": {func(reg *outbox.Registry, opts ...outbox.HandleOption) {
			reg.HandleAggregate("Order", "placed", mail)
			reg.Handle("placed", mail, handleOptions(opts)...)
		}, `"placed" (listener:placed)`, `"placed" of aggregate "Order"`},
		"an aggregate's listener beside a batch listener": {func(reg *outbox.Registry, opts ...outbox.HandleOption) {
			reg.HandleBatch("placed", batch, handleOptions(opts)...)
			reg.HandleAggregate("Order", "placed", mail)
		}, `"placed" (listener:placed)`, `"placed" of aggregate "Order"`},
		"a pattern within another": {func(reg *outbox.Registry, opts ...outbox.HandleOption) {
			reg.Route("order-*", &sink{}, routeOptions(opts)...)
			reg.Route("order-p*", &sink{})
		}, `"order-*"`, `"order-p*"`},
		"patterns that share some types": {func(reg *outbox.Registry, opts ...outbox.HandleOption) {
			reg.Route("order-*", &sink{})
			reg.Route("*-new", &sink{}, routeOptions(opts)...)
		}, `"*-new"`, `"order-*"`},
		"patterns that share nothing": {func(reg *outbox.Registry, _ ...outbox.HandleOption) {
			reg.Route("order-*", &sink{})
			reg.Route("invoice-*", &sink{})
			reg.Handle("placed", mail)
		}, "", ""},
		"the same destination in another way": {func(reg *outbox.Registry, _ ...outbox.HandleOption) {
			s := &sink{}
			reg.Route("order-*", s, outbox.To("orders"))
			reg.Route("order-placed", s, outbox.To("orders"), outbox.KeyFunc(func(outbox.Event) string { return "" }))
		}, "", ""},
	} {
		reg := outbox.NewRegistry()
		c.register(reg)
		err := reg.Err()
		if c.loses == "" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if !errors.Is(err, outbox.ErrRegistry) || !strings.Contains(err.Error(), c.loses) ||
			!strings.Contains(err.Error(), "the events of "+c.to) || !strings.Contains(err.Error(), "outbox.Otherwise()") {
			t.Errorf("%s: error %v, want one that says that %s loses to %s, and what to do", name, err, c.loses, c.to)
		}
		reg = outbox.NewRegistry()
		c.register(reg, outbox.Otherwise())
		if err := reg.Err(); err != nil {
			t.Errorf("%s, and it is meant: %v", name, err)
		}
	}
}

func routeOptions(opts []outbox.HandleOption) (out []outbox.RouteOption) {
	for _, o := range opts {
		out = append(out, o)
	}
	return out
}

func handleOptions(opts []outbox.HandleOption) []outbox.HandleOption { return opts }

func TestARegistrationThatLosesToManyIsOneError(t *testing.T) {
	reg := outbox.NewRegistry()
	reg.Route("*", &sink{})
	for i := range 1000 {
		reg.Handle(fmt.Sprintf("type-%04d", i), answers("x"))
	}
	if err := reg.Err(); err == nil || len(err.Error()) > 500 || !strings.Contains(err.Error(), "and 995 more") {
		t.Errorf("error %v", err)
	}
}

func BenchmarkOverlaps(b *testing.B) {
	reg := outbox.NewRegistry()
	for i := range 2000 {
		reg.Route(fmt.Sprintf("a%04d-*", i), &sink{})
		reg.Handle(fmt.Sprintf("b%04d-placed", i), answers("x"))
	}
	for b.Loop() {
		if err := reg.Err(); err != nil {
			b.Fatal(err)
		}
	}
}
