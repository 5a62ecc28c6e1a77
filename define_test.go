package outbox_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/store/memstore"
)

type order struct {
	ID    string `json:"id"`
	Total int    `json:"total"`
}

var orderPlaced = outbox.Define("Order", "OrderPlaced", outbox.IDOf(func(o order) string { return o.ID }))

func TestADefinitionMakesAndReadsItsEvents(t *testing.T) {
	e := orderPlaced.Of(order{"4711", 5})
	if e.Type != "OrderPlaced" || e.AggregateType != "Order" || e.AggregateID != "4711" || string(e.JSON) != `{"id":"4711","total":5}` {
		t.Errorf("event %+v", e)
	}
	if o, err := orderPlaced.Decode(e); err != nil || o != (order{"4711", 5}) {
		t.Errorf("decoded %+v, error %v", o, err)
	}
	if e := orderPlaced.New("other", order{}); e.AggregateID != "other" {
		t.Errorf("aggregate id %q, expected the one given", e.AggregateID)
	}
	if orderPlaced.Type() != "OrderPlaced" || orderPlaced.AggregateType() != "Order" {
		t.Errorf("%s of %s", orderPlaced.Type(), orderPlaced.AggregateType())
	}
	if d := outbox.Define[int]("", "n"); d.AggregateType() != outbox.GlobalAggregate || d.Of(1).AggregateID != "" {
		t.Errorf("aggregate %s, id %q", d.AggregateType(), d.Of(1).AggregateID)
	}
}

func TestAValueThatCannotBeEncodedFailsTheWrite(t *testing.T) {
	d := outbox.Define[func()]("", "impossible")
	_, err := write(t, outbox.NewWriter(newStore(), nil), d.New("1", func() {}))
	if !errors.Is(err, outbox.ErrInvalidEvent) || !strings.Contains(err.Error(), "cannot be encoded") {
		t.Errorf("error %v, expected ErrInvalidEvent that says why", err)
	}
}

func TestATypedListenerGetsThePayload(t *testing.T) {
	reg := outbox.NewRegistry()
	var got order
	orderPlaced.Handle(reg, func(_ context.Context, e outbox.Event, o order) error {
		got = o
		return errCause
	})
	target := reg.Lookup("Order", "OrderPlaced")
	if err := target.DeliverOne(t.Context(), orderPlaced.Of(order{"1", 2})); !errors.Is(err, errCause) || got != (order{"1", 2}) {
		t.Errorf("got %+v, error %v", got, err)
	}
	err := target.DeliverOne(t.Context(), outbox.Event{Type: "OrderPlaced", JSON: []byte(`"text"`)})
	if !outbox.IsPermanent(err) {
		t.Errorf("error %v: a payload that cannot be read will not be read next time", err)
	}
	if reg.Lookup("Invoice", "OrderPlaced") != nil {
		t.Error("the listener is for the aggregate of the definition alone")
	}
}

// bytesCodec keeps everything as bytes.
type bytesCodec struct{}

func (bytesCodec) Encode(e *outbox.Event, v any) error {
	if v == "bad" {
		return errCause
	}
	e.Bytes = fmt.Appendf(nil, "<%v>", v)
	return nil
}

func (bytesCodec) Decode(e outbox.Event, v any) error {
	_, err := fmt.Sscanf(string(e.Bytes), "<%d>", v)
	return err
}

func TestADefinitionTakesItsOwnCodec(t *testing.T) {
	d := outbox.Define("", "n", outbox.WithCodec[int](bytesCodec{}))
	e := d.Of(7)
	if n, err := d.Decode(e); string(e.Bytes) != "<7>" || e.JSON != nil || n != 7 || err != nil {
		t.Errorf("bytes %q, JSON %q, decoded %d, error %v", e.Bytes, e.JSON, n, err)
	}
}

func TestPublishEncodesValues(t *testing.T) {
	s := newStore()
	w := outbox.NewWriter(s, nil, outbox.WithPayloadCodec(bytesCodec{}))
	err := w.InTx(t.Context(), func(ctx context.Context, tx *memstore.Tx) error {
		if _, err := w.Publish(ctx, tx, "OrderPlaced", 0, "bad"); !errors.Is(err, errCause) || !errors.Is(err, outbox.ErrInvalidEvent) {
			t.Errorf("error %v, expected the codec's own", err)
		}
		ids, err := w.Publish(ctx, tx, "OrderPlaced", 1, 2)
		if len(ids) != 2 {
			t.Errorf("ids %v", ids)
		}
		return err
	})
	es := stored(t, s)
	if err != nil || len(es) != 2 || string(es[0].Bytes) != "<1>" || string(es[1].Bytes) != "<2>" {
		t.Errorf("stored %+v, error %v", es, err)
	}
}

func TestPublishingWritesWhatTheFunctionReturns(t *testing.T) {
	s := newStore()
	w := outbox.NewWriter(s, nil)
	place := outbox.Publishing(w, orderPlaced, func(_ context.Context, tx *memstore.Tx) (order, error) {
		return order{"1", 2}, tx.Put("order", "1")
	})
	if o, err := place(t.Context()); err != nil || o != (order{"1", 2}) {
		t.Fatalf("returned %+v, error %v", o, err)
	}
	if es := stored(t, s); len(es) != 1 || es[0].AggregateID != "1" {
		t.Errorf("stored %+v", es)
	}
	fail := outbox.Publishing(w, orderPlaced, func(_ context.Context, tx *memstore.Tx) (order, error) {
		_ = tx.Put("order", "2")
		return order{"2", 2}, errCause
	})
	if o, err := fail(t.Context()); !errors.Is(err, errCause) || o != (order{}) {
		t.Errorf("returned %+v, error %v", o, err)
	}
	if v, _, _ := s.Get(t.Context(), "order"); v != "1" || len(stored(t, s)) != 0 {
		t.Errorf("the failed change is visible: order %s", v)
	}
}
