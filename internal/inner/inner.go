package inner

import "time"

// Wait is the time that outbox.RetryAfter asks for.
type Wait time.Duration

// Deliveries is the key under which a context has a pointer to the deliveries of
// a run.
type Deliveries struct{}

// Destination is the inside of a target, which package outbox sets.
var Destination func(target any) any
