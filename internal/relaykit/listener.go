package relaykit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sendoff-go/outbox"
)

// Numbered are events of a type, from one number to before another.
func Numbered(eventType string, from, to int) []outbox.Event {
	es := make([]outbox.Event, 0, to-from)
	for i := from; i < to; i++ {
		es = append(es, outbox.Event{Type: eventType, ID: fmt.Sprintf("%s-%06d", eventType, i), JSON: []byte(`{"n":1}`)})
	}
	return es
}

// OneSecond is a listener that takes a second, and obeys its context.
func OneSecond(ctx context.Context, _ outbox.Event) error {
	select {
	case <-time.After(time.Second):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// DownSink is always unavailable, and has no check.
type DownSink struct{}

// Send implements [outbox.Sink].
func (DownSink) Send(_ context.Context, batch []outbox.Message) []error {
	errs := make([]error, len(batch))
	for i := range errs {
		errs[i] = outbox.Unavailable(errors.New("down"))
	}
	return errs
}
