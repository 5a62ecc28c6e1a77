package inbox_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/inbox"
	"github.com/sendoff-go/outbox/store/memstore"
)

type layer struct{}

func TestAroundSurroundsTheConsumption(t *testing.T) {
	var calls []string
	r := newRig(t, inbox.Config{Around: func(ctx context.Context, ms []outbox.Received) (context.Context, func(int, error)) {
		calls = append(calls, fmt.Sprint("begin ", len(ms)))
		return context.WithValue(ctx, layer{}, "around"), func(fresh int, err error) {
			calls = append(calls, fmt.Sprintf("end %d %v", fresh, err != nil))
		}
	}})
	handle := func(err error) func(context.Context, *memstore.Tx, []outbox.Received) error {
		return func(ctx context.Context, _ *memstore.Tx, _ []outbox.Received) error {
			calls = append(calls, fmt.Sprint("handle in ", ctx.Value(layer{})))
			if err != nil && err.Error() == "panic" {
				panic("no")
			}
			return err
		}
	}
	for _, c := range []struct {
		ids  []string
		end  error
		want []string
	}{
		{[]string{"a", "b", "a"}, nil, []string{"begin 3", "handle in around", "end 2 false"}},
		{[]string{"a"}, nil, []string{"begin 1", "end 0 false"}},
		{[]string{"c"}, errHandler, []string{"begin 1", "handle in around", "end 0 true"}},
		{[]string{""}, nil, []string{"begin 1", "end 0 true"}},
		{[]string{"d"}, errors.New("panic"), []string{"begin 1", "handle in around", "end 0 true"}},
		{nil, nil, nil},
	} {
		calls = nil
		func() {
			defer func() {
				if p := recover(); (p != nil) != (c.end != nil && c.end.Error() == "panic") {
					t.Errorf("%q: panic %v", c.ids, p)
				}
			}()
			_ = r.ConsumeBatch(t.Context(), received(c.ids...), handle(c.end))
		}()
		if !slices.Equal(calls, c.want) {
			t.Errorf("%q: %q, want %q", c.ids, calls, c.want)
		}
	}
}

func TestAroundMayHaveNothingToEnd(t *testing.T) {
	r := newRig(t, inbox.Config{Around: func(ctx context.Context, _ []outbox.Received) (context.Context, func(int, error)) { return ctx, nil }})
	r.consume(t, nil, "a")
	r.told.expect(t, map[string]int{"consumed": 1})
}
