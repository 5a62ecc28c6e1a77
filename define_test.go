package outbox_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

type order struct {
	ID    string `json:"id"`
	Total int    `json:"total"`
}

var orderPlaced = outbox.Define[order]("Order", "OrderPlaced")

func TestADefinitionMakesAndReadsItsEvents(t *testing.T) {
	e := orderPlaced.New("4711", order{"4711", 5})
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
	if d := outbox.Define[int]("", "n"); d.AggregateType() != outbox.GlobalAggregate {
		t.Errorf("aggregate %s", d.AggregateType())
	}
}

func TestADefinitionReadsWhatAConsumerReceived(t *testing.T) {
	sent := orderPlaced.New("4711", order{"4711", 5})
	if o, err := orderPlaced.DecodeReceived(sent.Received()); err != nil || o != (order{"4711", 5}) {
		t.Errorf("decoded %+v, error %v", o, err)
	}
	_, err := orderPlaced.DecodeReceived(outbox.Received{EventID: "e-1", Payload: []byte("no JSON")})
	if !outbox.IsPermanent(err) || !strings.Contains(err.Error(), "OrderPlaced") || !strings.Contains(err.Error(), "e-1") {
		t.Errorf("error %v, want a permanent one that names type and event", err)
	}
}

func TestAValueThatCannotBeEncodedFailsTheWrite(t *testing.T) {
	d := outbox.Define[func()]("", "impossible")
	_, err := write(t, outbox.NewWriter(newStore()), d.New("1", func() {}))
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
	target := driver.DestinationOf(reg.Lookup("Order", "OrderPlaced"))
	if err := target.DeliverOne(t.Context(), orderPlaced.New("1", order{"1", 2})); !errors.Is(err, errCause) || got != (order{"1", 2}) {
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
	e.Bytes = fmt.Appendf(nil, "<%v>", v)
	return nil
}

func (bytesCodec) Decode(m outbox.Received, v any) error {
	_, err := fmt.Sscanf(string(m.Payload), "<%d>", v)
	return err
}

func TestADefinitionTakesItsOwnCodec(t *testing.T) {
	d := outbox.Define("", "n", outbox.WithCodec[int](bytesCodec{}))
	e := d.New("", 7)
	if n, err := d.Decode(e); string(e.Bytes) != "<7>" || e.JSON != nil || n != 7 || err != nil {
		t.Errorf("bytes %q, JSON %q, decoded %d, error %v", e.Bytes, e.JSON, n, err)
	}
	if n, err := d.DecodeReceived(e.Received()); n != 7 || err != nil {
		t.Errorf("decoded %d at the consumer, error %v", n, err)
	}
}
