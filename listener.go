package outbox

import "context"

// Listener receives events in this process, one at a time. Its error decides
// what becomes of the event: nil is done; [Permanent], [Unavailable] and
// [RetryAfter] say so; a network error is treated as Unavailable, unless the
// relay is configured to count it; any other error is a counted failure, and so
// is a panic. The context ends at the listener's deadline, or when the relay
// gives up the event. It must be safe for concurrent use.
type Listener func(ctx context.Context, e Event) error

// BatchListener receives events in batches and answers for each: the result
// has one error per event, in the same order, or is nil if all are done. It
// must be safe for concurrent use.
type BatchListener func(ctx context.Context, es []Event) []error
