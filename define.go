package outbox

import (
	"context"
	"fmt"
)

// Definition is one event type with the Go type of its payload, for writers and
// receivers. It is safe for concurrent use.
type Definition[T any] struct {
	aggregate, eventType string
	codec                Codec
}

// DefineOption changes a [Definition].
type DefineOption[T any] func(*Definition[T])

// WithCodec encodes and decodes with c. Default: encoding/json.
func WithCodec[T any](c Codec) DefineOption[T] {
	return func(d *Definition[T]) { d.codec = c }
}

// Define gives writers and listeners one typed definition of an event type. An
// empty aggregate type stands for [GlobalAggregate].
//
//	var OrderPlaced = outbox.Define[Order]("Order", "OrderPlaced")
func Define[T any](aggregateType, eventType string, opts ...DefineOption[T]) Definition[T] {
	if aggregateType == "" {
		aggregateType = GlobalAggregate
	}
	d := Definition[T]{aggregate: aggregateType, eventType: eventType, codec: jsonCodec{}}
	for _, o := range opts {
		if o != nil {
			o(&d)
		}
	}
	return d
}

// Type is the event type.
func (d Definition[T]) Type() string { return d.eventType }

// AggregateType is the aggregate type.
func (d Definition[T]) AggregateType() string { return d.aggregate }

// New returns an event of that type about one aggregate. If v cannot be
// encoded, Write of that event returns the error.
func (d Definition[T]) New(aggregateID string, v T) Event {
	e := Event{Type: d.eventType, AggregateType: d.aggregate, AggregateID: aggregateID}
	if err := d.codec.Encode(&e, v); err != nil {
		e.err = fmt.Errorf("the payload (%T) cannot be encoded: %w", v, err)
	}
	return e
}

// Decode reads the payload of an event of that type, in a listener. A payload
// that cannot be read is a permanent error.
func (d Definition[T]) Decode(e Event) (T, error) {
	return d.DecodeReceived(Received{EventID: e.ID, EventType: e.Type, Payload: e.Payload(), Headers: e.Headers})
}

// DecodeReceived is [Definition.Decode] for a consumer, whatever transport
// delivered the event. A consumer of several types checks EventType first.
func (d Definition[T]) DecodeReceived(m Received) (T, error) {
	var v T
	if err := d.codec.Decode(m, &v); err != nil {
		return v, Permanent(fmt.Errorf("outbox: decode the payload of %s (event %s) as %T: %w", d.eventType, m.EventID, v, err))
	}
	return v, nil
}

// Handle registers a listener that gets the payload decoded.
func (d Definition[T]) Handle(reg *Registry, f func(ctx context.Context, e Event, v T) error) {
	reg.HandleAggregate(d.aggregate, d.eventType, func(ctx context.Context, e Event) error {
		v, err := d.Decode(e)
		if err != nil {
			return err
		}
		return f(ctx, e, v)
	})
}
