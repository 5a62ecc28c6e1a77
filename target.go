package outbox

import (
	"context"
	"fmt"

	"github.com/sendoff-go/outbox/internal/inner"
	"github.com/sendoff-go/outbox/internal/masked"
)

// Target is the destination that a [Registry] found for an event. The relay
// delivers through what package driver exposes of it.
type Target struct {
	pattern string
	parsed  pattern
	name    string
	single  Listener
	batch   BatchListener
	route   *route

	otherwise bool // registered with Otherwise

	sink, destination string // see Sink and Destination
}

func init() {
	inner.Destination = func(t any) any { return destination{t.(*Target)} }
}

// destination is a target as driver.Destination describes it.
type destination struct{ *Target }

// Name identifies the destination and contains no secret. Targets of one name
// share a breaker.
func (t *Target) Name() string { return t.name }

// Pattern is the event type or pattern that the destination was registered for.
func (t *Target) Pattern() string { return t.pattern }

// Sink is the kind of the sink, for example kafkasink; it is empty for a listener
// in this process. A sink with a method Unwrap() Sink has the kind of the one
// that it wraps.
func (t *Target) Sink() string { return t.sink }

// Destination is the topic, exchange, subject or stream of a route, in the form
// of driver.DestinationName; without one of its own it is the event type or the
// pattern. It is empty for a listener, and where the route computes it.
func (t *Target) Destination() string { return t.destination }

// describe notes what a route's sink and destination are called.
func (t *Target) describe() {
	if t.route == nil {
		return
	}
	s := t.route.sink
	for {
		wrapper, ok := s.(interface{ Unwrap() Sink })
		if !ok {
			break
		}
		s = wrapper.Unwrap()
	}
	t.sink = sinkKind(s)
	if t.route.kind != computed {
		t.destination = masked.Name(t.route.destination(Event{Type: t.pattern}))
	}
}

func (t destination) Batches() bool { return t.single == nil }

func (t destination) Remote() bool { return t.route != nil }

func (t destination) Deliver(ctx context.Context, es []Event) []error {
	switch {
	case t.single != nil:
		errs := make([]error, len(es))
		for i, e := range es {
			errs[i] = t.single(ctx, e)
		}
		return errs
	case t.batch != nil:
		return checkAnswers(t.name, len(es), t.batch(ctx, es))
	default:
		return t.route.send(ctx, t.name, es)
	}
}

func (t destination) DeliverOne(ctx context.Context, e Event) error {
	if t.single != nil {
		return t.single(ctx, e)
	}
	return t.Deliver(ctx, []Event{e})[0]
}

func (t destination) Check() func(context.Context) error {
	if t.route == nil {
		return nil
	}
	one := t.route.kind == fixed || (t.route.kind == byType && !isPattern(t.pattern))
	if c, ok := t.route.sink.(destinationChecker); ok && one {
		e := Event{Type: t.pattern}
		m := Message{Event: e, Destination: t.route.destination(e), ByType: t.route.kind == byType}
		return func(ctx context.Context) error { return c.CheckDestination(ctx, m) }
	}
	if c, ok := t.route.sink.(checker); ok {
		return c.Check
	}
	return nil
}

// The optional interfaces of a sink, as package driver defines them.
type (
	checker interface {
		Check(ctx context.Context) error
	}
	destinationChecker interface {
		CheckDestination(ctx context.Context, m Message) error
	}
)

func checkAnswers(name string, n int, errs []error) []error {
	if errs == nil {
		return make([]error, n)
	}
	if len(errs) == n {
		return errs
	}
	err := fmt.Errorf("outbox: %s answered for %d of %d events: return one error per event, or nil if all are done", name, len(errs), n)
	errs = make([]error, n)
	for i := range errs {
		errs[i] = err
	}
	return errs
}
