package bench

import (
	"fmt"
	"strings"

	"github.com/sendoff-go/outbox"
)

// lane is the type of all events.
const lane = "BenchEvent"

// The payload has the event's number at a fixed place, so that reading it
// costs the listener nothing.
const (
	numberAt    = len(`{"n":"`)
	numberWidth = 10
)

// newEvent is event n with a payload of that size.
func newEvent(n, size int) outbox.Event {
	head := fmt.Sprintf(`{"n":"%0*d","x":"`, numberWidth, n)
	tail := `"}`
	return outbox.Event{Type: lane, JSON: []byte(head + strings.Repeat("x", max(size-len(head)-len(tail), 0)) + tail)}
}

// numberOf reads it back.
func numberOf(e outbox.Event) int {
	n := 0
	for _, c := range e.JSON[numberAt : numberAt+numberWidth] {
		n = 10*n + int(c-'0')
	}
	return n
}
