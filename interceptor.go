package outbox

import "context"

// Interceptor sees every event before it is routed and after it was handled,
// whatever its destination. Either function may be nil; both must be safe for
// concurrent use.
type Interceptor struct {
	// Before runs in the order of registration, with the context that the one
	// before returned. An error keeps the event from its destination and counts
	// as its failure.
	Before func(ctx context.Context, e Event) (context.Context, error)
	// After runs in reverse order, for every interceptor whose Before
	// succeeded, with the error of the event or nil. A panic in it is logged
	// and changes nothing.
	After func(ctx context.Context, e Event, err error)
}
