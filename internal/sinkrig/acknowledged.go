package sinkrig

import (
	"testing"

	"github.com/sendoff-go/outbox"
)

// Acknowledged is the set of events that a sink acknowledged.
type Acknowledged map[string]bool

// Send sends n messages and returns how many were acknowledged. The others
// must be unavailable: nothing is wrong with them.
func (a Acknowledged) Send(t testing.TB, s outbox.Sink, n int, message func() outbox.Message) int {
	t.Helper()
	ms := make([]outbox.Message, n)
	for i := range ms {
		ms[i] = message()
	}
	before := len(a)
	for i, err := range Send(t, s, ms...) {
		switch {
		case err == nil:
			a[ms[i].Event.ID] = true
		case !outbox.IsUnavailable(err):
			t.Fatalf("during an outage: %v", err)
		}
	}
	return len(a) - before
}
