package memsink

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/sendoff-go/outbox"
)

// Sink hands messages to the receivers of [Sink.Messages]. It is safe for
// concurrent use.
type Sink struct{ out chan outbox.Message }

// Config has a useful zero value.
type Config struct {
	// Capacity is how many messages the sink holds until they are received. A full
	// sink is unavailable, which spends no attempt. Default: 0, so that a message
	// is delivered when it is received.
	Capacity int
}

// New makes a sink.
func New(cfg Config) (*Sink, error) {
	if cfg.Capacity < 0 {
		return nil, errors.New("memsink: Capacity must not be negative: leave it zero to hold no message")
	}
	return &Sink{out: make(chan outbox.Message, cfg.Capacity)}, nil
}

// Messages returns the channel of messages, in the order in which they were
// sent.
func (s *Sink) Messages() <-chan outbox.Message { return s.out }

// Send implements [outbox.Sink]. It waits for room as long as its context
// allows; after that, the rest of the batch is unavailable, so that nothing
// overtakes what had no room.
func (s *Sink) Send(ctx context.Context, batch []outbox.Message) []error {
	for i, m := range batch {
		m.Event, m.Headers = m.Event.Clone(), maps.Clone(m.Headers)
		select {
		case s.out <- m:
			continue
		default:
		}
		select {
		case s.out <- m:
		case <-ctx.Done():
			errs := make([]error, len(batch))
			for j := i; j < len(batch); j++ {
				errs[j] = outbox.Unavailable(fmt.Errorf("memsink: no receiver took the message in time: %w", context.Cause(ctx)))
			}
			return errs
		}
	}
	return nil
}

// Message returns the event in a message, for an inbox or a handler.
func Message(m outbox.Message) outbox.Received {
	return outbox.Received{
		EventID: m.Headers[outbox.HeaderEventID], EventType: m.Headers[outbox.HeaderEventType],
		Payload: m.Payload(), Headers: m.Headers,
	}
}
