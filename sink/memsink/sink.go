package memsink

import (
	"context"
	"fmt"
	"maps"

	"github.com/sendoff-go/outbox"
)

// Sink hands messages to whoever receives from [Sink.Messages]. It is safe for
// concurrent use.
type Sink struct{ out chan outbox.Message }

// New makes a sink that holds at most capacity messages that nobody received
// yet; a negative one counts as zero. A full sink is unavailable, which spends
// no attempt.
func New(capacity int) *Sink { return &Sink{out: make(chan outbox.Message, max(capacity, 0))} }

// Messages is where messages come out, in the order in which they were sent.
func (s *Sink) Messages() <-chan outbox.Message { return s.out }

// Send implements [outbox.Sink]. It waits for room as long as its context
// allows; when that is over, the rest of the batch is unavailable, so that
// nothing overtakes what had no room.
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
				errs[j] = outbox.Unavailable(fmt.Errorf("memsink: nobody received in time: %w", context.Cause(ctx)))
			}
			return errs
		}
	}
	return nil
}

// Message is the event that a message carries, for an inbox or a handler.
func Message(m outbox.Message) outbox.Received {
	return outbox.Received{
		EventID: m.Headers[outbox.HeaderEventID], EventType: m.Headers[outbox.HeaderEventType],
		Payload: m.Payload(), Headers: m.Headers,
	}
}
