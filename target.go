package outbox

import (
	"context"
	"fmt"
)

// Target is the destination that a [Registry] found for an event.
type Target struct {
	pattern string
	parsed  pattern // if it is one
	name    string
	single  ListenerFunc
	batch   BatchListenerFunc
	route   *route
}

// Name identifies the destination, for people, too: it holds no secret. Targets of
// one name share their fate.
func (t *Target) Name() string { return t.name }

// Pattern is the event type or pattern that the destination was registered for.
func (t *Target) Pattern() string { return t.pattern }

// Batches reports whether the destination takes many events at once.
func (t *Target) Batches() bool { return t.single == nil }

// Deliver hands events to the destination and returns an answer for each. A
// destination that answers for the wrong number of events has failed for all.
func (t *Target) Deliver(ctx context.Context, es []Event) []error {
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

// DeliverOne hands one event to a destination that takes one at a time.
func (t *Target) DeliverOne(ctx context.Context, e Event) error {
	if t.single != nil {
		return t.single(ctx, e)
	}
	return t.Deliver(ctx, []Event{e})[0]
}

// Checker is the destination's own connection check, or nil: the sink's
// [DestinationChecker] where the route has one destination, or else its
// [Checker].
func (t *Target) Checker() Checker {
	if t.route == nil {
		return nil
	}
	one := t.route.kind == fixed || (t.route.kind == byType && !isPattern(t.pattern))
	if c, ok := t.route.sink.(DestinationChecker); ok && one {
		e := Event{Type: t.pattern}
		return destinationCheck{c, Message{Event: e, Destination: t.route.destination(e), ByType: t.route.kind == byType}}
	}
	c, _ := t.route.sink.(Checker)
	return c
}

// destinationCheck is the check of one destination.
type destinationCheck struct {
	checker DestinationChecker
	message Message
}

// Check implements [Checker].
func (c destinationCheck) Check(ctx context.Context) error {
	return c.checker.CheckDestination(ctx, c.message)
}

func checkAnswers(name string, n int, errs []error) []error {
	if errs == nil {
		return make([]error, n)
	}
	if len(errs) == n {
		return errs
	}
	err := fmt.Errorf("outbox: %s answered for %d of %d events: return one error per event, or nil for all done", name, len(errs), n)
	errs = make([]error, n)
	for i := range errs {
		errs[i] = err
	}
	return errs
}

// Remote reports whether the destination is a [Sink].
func (t *Target) Remote() bool { return t.route != nil }
