package main

import (
	"fmt"

	"github.com/sendoff-go/outbox"
)

// redelivered is how many events lie between an event and its second delivery:
// more than all hands have in their batches, so that it was committed by then.
const redelivered = 500

// deliveries are what a broker hands to a consumer.
type deliveries struct {
	n     int // of all
	twice bool
}

// fresh is the number of events that come for the first time.
func (d deliveries) fresh() int {
	if d.twice {
		return (d.n + 1) / 2
	}
	return d.n
}

// event is the number of the event that delivery i is of. Where every event
// comes twice, every other delivery is one of earlier; the first of those are of
// events that were consumed before the run, which have negative numbers.
func (d deliveries) event(i int) int {
	switch {
	case !d.twice:
		return i
	case i%2 == 0:
		return i / 2
	default:
		return i/2 - redelivered
	}
}

func (d deliveries) messages() []outbox.Received {
	ms := make([]outbox.Received, d.n)
	for i := range ms {
		n := d.event(i)
		ms[i] = outbox.Received{EventID: consumedID(n), EventType: eventType, Payload: []byte(payload(max(n, 0)))}
	}
	return ms
}

// consumedID has the length of an id of ours, and grows as they do.
func consumedID(n int) string { return fmt.Sprintf("01JBENCH%018d", n+redelivered) }

// consumedNumber is the number of the event with that id.
func consumedNumber(id string) int {
	n := 0
	for _, c := range []byte(id[len("01JBENCH"):]) {
		n = 10*n + int(c-'0')
	}
	return n - redelivered
}
