package hazelrig

import "go.uber.org/goleak"

// Locked leaves out a goroutine that a client may leave behind when it is ended
// while it reconnects: Service.Pause of v1.5.0 returns without unlocking if the
// service has stopped, and another goroutine, with nothing left to do, waits for that
// lock for ever.
func Locked() goleak.Option {
	return goleak.IgnoreAnyFunction("github.com/hazelcast/hazelcast-go-client/internal/invocation.(*Service).handleGroupLost")
}
