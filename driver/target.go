package driver

import (
	"context"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/inner"
)

// Destination is what a relay does with an [outbox.Target].
type Destination interface {
	// Batches reports whether the destination takes many events at once.
	Batches() bool
	// Remote reports whether the destination is a sink.
	Remote() bool
	// Deliver hands events to the destination and returns an error or nil for
	// each. A destination that answers for the wrong number of events has
	// failed for all.
	Deliver(ctx context.Context, es []outbox.Event) []error
	// DeliverOne hands over one event, without a slice where the destination
	// takes one at a time.
	DeliverOne(ctx context.Context, e outbox.Event) error
	// Check is the destination's own connection check, or nil: the sink's
	// [DestinationChecker] where the route has one destination, or else its
	// [Checker].
	Check() func(context.Context) error
}

// DestinationOf returns the destination of a target.
func DestinationOf(t *outbox.Target) Destination {
	return inner.Destination(t).(Destination)
}

// Checker is a sink that can test its connection without a message. Other sinks
// are probed with one event.
type Checker interface {
	Check(ctx context.Context) error
}

// DestinationChecker is a sink that reaches several servers and can test the
// connection to one of them. It is used instead of [Checker] where a route
// names its destination with [outbox.To], or by the one event type that it is
// for, so that an outage of one server does not delay messages to another.
type DestinationChecker interface {
	// CheckDestination gets a message that has only Destination, ByType and the
	// type of its event.
	CheckDestination(ctx context.Context, m outbox.Message) error
}
