package outbox

import "context"

// Interceptor sees every event before it is routed and after it was handled,
// whatever its destination. Every function may be nil; all must be safe for
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
	// AroundBatch runs in the order of registration when several events go to
	// their destination together, after Before of each of them. The destination
	// gets the context that the last one returned. The function that it returns
	// is called in reverse order with the answers, one for each event; it may be
	// nil, and a panic in it is logged and changes nothing. Neither may change or
	// keep the events.
	AroundBatch func(ctx context.Context, es []Event) (context.Context, func(errs []error))
}
