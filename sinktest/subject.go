package sinktest

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
)

// Open returns a sink with a destination of its own; it closes both with
// t.Cleanup.
type Open func(t testing.TB) Subject

// Subject is one sink under test and what else the suite needs. A zero field
// leaves out the laws that need it; the first three are required.
type Subject struct {
	Sink outbox.Sink
	// Destination exists, and nothing was sent to it yet.
	Destination string
	// Receive returns everything that has arrived at Destination since the
	// beginning, in the destination's order. It waits for at least n messages, but
	// no longer than wait. It must not go through Faults.
	Receive func(n int, wait time.Duration) []Arrival

	// Keyed says that an arrival shows the key of its message.
	Keyed bool
	// Deduplicates says that the destination drops a message whose event id it has
	// already seen.
	Deduplicates bool
	// FoldsHeaderNames says that the case of header names is lost in transit, as
	// in HTTP.
	FoldsHeaderNames bool
	// MaxPayload is the size of a payload that must get through. Default:
	// [outbox.MaxPayload].
	MaxPayload int

	// TooLarge is the size of a payload that the server refuses.
	TooLarge int
	// Unroutable is a destination that does not exist. Where destinations are
	// URLs, it has a user, a password, a path and parameters, and points to the
	// server of the test. The suite also sends to names that look like such a URL:
	// the sink must refuse them, or they are created.
	Unroutable string

	// Narrow returns a destination that accepts small messages and, for now,
	// refuses one whose payload has the returned size.
	Narrow func(t testing.TB) (destination string, size int, receive func(n int, wait time.Duration) []Arrival)

	// Faults sit between the sink and its server.
	Faults Faults
	// Connected says that Sink has a connection from the start, such as the
	// caller's. A sink without one must know from its first answer that nothing was
	// sent while the server refuses connections.
	Connected bool
	// Hasty opens another sink to the same server, whose own limit for a Send is
	// SendTimeout. Only the law about that limit uses it: on a busy machine the
	// batches of other laws may take longer.
	Hasty func(t testing.TB) outbox.Sink
	// SendTimeout is the limit of Hasty. Keep it short: a law waits for it.
	SendTimeout time.Duration
	// Reopen opens another sink to the same server. The law about goroutines left
	// after Close needs it. It blames the sink for every new goroutine, so nothing
	// behind Receive may start one before the first call.
	Reopen func(t testing.TB) outbox.Sink
}

// Arrival is a message as it was received.
type Arrival struct {
	outbox.Received
	Key string // if the subject is Keyed
}

// Faults disturb the network between a sink and its server. Each takes effect
// at once, for existing and new connections, and lasts until the next call.
type Faults interface {
	// Pass ends every fault. Connections that were cut stay cut.
	Pass()
	// Refuse cuts all connections and refuses new ones.
	Refuse()
	// Cut cuts all connections once; new ones work.
	Cut()
	// CutAfter lets n more bytes pass to the server, counted over all
	// connections, and then cuts them all once; new ones work.
	CutAfter(n int)
	// Hang accepts connections and data, but forwards nothing in either direction.
	Hang()
	// Mute forwards what is sent to the server, but none of its answers.
	Mute()
}

func (s Subject) withDefaults(t testing.TB) Subject {
	t.Helper()
	if s.Sink == nil || s.Destination == "" || s.Receive == nil {
		t.Fatal("a subject needs Sink, Destination and Receive")
	}
	if s.MaxPayload == 0 {
		s.MaxPayload = outbox.MaxPayload
	}
	return s
}
