package outbox_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/sendoff-go/outbox"
)

type layer struct{}

func TestHooksSurroundAWriteAndGiveItsContext(t *testing.T) {
	var calls []string
	note := func(format string, args ...any) { calls = append(calls, fmt.Sprintf(format, args...)) }
	around := func(name string) outbox.WriteHook {
		return outbox.WriteHook{
			AroundWrite: func(ctx context.Context, es []outbox.Event) (context.Context, func(error)) {
				note("%s: %d events, after %v", name, len(es), ctx.Value(layer{}))
				return context.WithValue(ctx, layer{}, name), func(err error) { note("%s: %v", name, err) }
			},
			BeforeWrite: func(ctx context.Context, e outbox.Event) (outbox.Event, error) {
				if name == "outer" && ctx.Value(layer{}) != "inner" {
					t.Errorf("BeforeWrite has the context of %v", ctx.Value(layer{}))
				}
				if e.ID == "no" {
					return e, errors.New("refused")
				}
				return e, nil
			},
			AfterWrite: func(ctx context.Context, es []outbox.Event) {
				note("%s: stored %d in %v", name, len(es), ctx.Value(layer{}))
			},
		}
	}
	silent := outbox.WriteHook{AroundWrite: func(ctx context.Context, _ []outbox.Event) (context.Context, func(error)) { return ctx, nil }}
	w := outbox.NewWriter(newStore(), outbox.WithWriteHooks(around("outer"), silent, around("inner")))
	for _, c := range []struct {
		es   []outbox.Event
		want []string
	}{
		{[]outbox.Event{named("a"), named("b")}, []string{
			"outer: 2 events, after <nil>", "inner: 2 events, after outer", "outer: stored 2 in inner", "inner: stored 2 in inner", "inner: <nil>", "outer: <nil>",
		}},
		{[]outbox.Event{named("no")}, []string{"outer: 1 events, after <nil>", "inner: 1 events, after outer", "inner: refused", "outer: refused"}},
		{nil, nil},
	} {
		calls = nil
		_, _ = write(t, w, c.es...)
		if !slices.Equal(calls, c.want) {
			t.Errorf("%q, want %q", calls, c.want)
		}
	}
}

func TestAWriteThatPanicsIsAnErrorToWhatSurroundsIt(t *testing.T) {
	var told error
	w := outbox.NewWriter(newStore(), outbox.WithWriteHooks(outbox.WriteHook{
		AroundWrite: func(ctx context.Context, _ []outbox.Event) (context.Context, func(error)) {
			return ctx, func(err error) { told = err }
		},
		BeforeWrite: func(context.Context, outbox.Event) (outbox.Event, error) { panic("no") },
	}))
	func() {
		defer func() {
			if recover() != "no" {
				t.Error("the panic was swallowed")
			}
		}()
		_, _ = write(t, w, valid())
	}()
	if told == nil {
		t.Error("it was told of a success")
	}
}
