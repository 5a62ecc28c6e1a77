package memsink

import (
	"context"
	"fmt"

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
// allows.
func (s *Sink) Send(ctx context.Context, batch []outbox.Message) []error {
	errs := make([]error, len(batch))
	for i, m := range batch {
		m.Event = m.Event.Clone()
		select {
		case s.out <- m:
		case <-ctx.Done():
			errs[i] = outbox.Unavailable(fmt.Errorf("memsink: nobody received in time: %w", context.Cause(ctx)))
		}
	}
	return errs
}
