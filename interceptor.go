package outbox

import "context"

// Interceptor sees every event before it is routed and after it was handled,
// whatever its destination. It must be safe for concurrent use.
type Interceptor interface {
	// Before runs in the order of registration, with the context that the
	// one before returned. An error keeps the event from its destination and
	// is its failure.
	Before(ctx context.Context, e Event) (context.Context, error)
	// After runs in reverse order, for every interceptor whose Before
	// succeeded, with the error of the event or nil. A panic in it is logged
	// and changes nothing.
	After(ctx context.Context, e Event, err error)
}

// Before makes an interceptor of a function that runs before the event.
func Before(f func(ctx context.Context, e Event) error) Interceptor { return beforeFunc(f) }

// After makes an interceptor of a function that runs after the event.
func After(f func(ctx context.Context, e Event, err error)) Interceptor { return afterFunc(f) }

type beforeFunc func(context.Context, Event) error

func (f beforeFunc) Before(ctx context.Context, e Event) (context.Context, error) {
	return ctx, f(ctx, e)
}
func (beforeFunc) After(context.Context, Event, error) {}

type afterFunc func(context.Context, Event, error)

func (f afterFunc) Before(ctx context.Context, _ Event) (context.Context, error) { return ctx, nil }
func (f afterFunc) After(ctx context.Context, e Event, err error)                { f(ctx, e, err) }
