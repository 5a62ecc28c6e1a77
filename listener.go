package outbox

import "context"

// Listener receives events in this process, one at a time. Its error decides
// what becomes of the event: nil is done; [Permanent], [Unavailable] and
// [RetryAfter] say so; any other is a counted failure, and so is a panic. The
// context ends at the listener's deadline, or when the relay gives the event
// up. It must be safe for concurrent use.
type Listener interface {
	Handle(ctx context.Context, e Event) error
}

// ListenerFunc is a function as a [Listener].
type ListenerFunc func(ctx context.Context, e Event) error

// Handle implements [Listener].
func (f ListenerFunc) Handle(ctx context.Context, e Event) error { return f(ctx, e) }

// BatchListener receives events in batches and answers for each: the result
// has one error per event, in the same order, or is nil if all are done. It
// must be safe for concurrent use.
type BatchListener interface {
	HandleBatch(ctx context.Context, es []Event) []error
}

// BatchListenerFunc is a function as a [BatchListener].
type BatchListenerFunc func(ctx context.Context, es []Event) []error

// HandleBatch implements [BatchListener].
func (f BatchListenerFunc) HandleBatch(ctx context.Context, es []Event) []error { return f(ctx, es) }
