package inner

import "time"

// Wait is the time that outbox.RetryAfter asks for.
type Wait time.Duration

// Deliveries is the context key of a pointer to the deliveries of a run.
type Deliveries struct{}

// Destination returns the destination of a target. Package outbox sets it.
var Destination func(target any) any
