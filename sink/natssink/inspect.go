package natssink

import (
	"context"
	"errors"
	"fmt"

	"github.com/sendoff-go/outbox/driver"
)

// Inspect says what is wrong with a subject, for diagnosis: no stream of
// JetStream takes it, or its stream has no leader. It passes where the user may
// not ask, and stores nothing. It is safe for concurrent use.
func (s *Sink) Inspect(ctx context.Context, subject string) error {
	if s.isClosed() {
		return errClosed
	}
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	name := driver.DestinationName(subject)
	if err := s.link.wait(ctx, s.patience, s.closed); err != nil {
		return fmt.Errorf("natssink: %w", err)
	}
	var found struct {
		Streams []string `json:"streams"`
	}
	err := s.request(ctx, "$JS.API.STREAM.NAMES", map[string]string{"subject": subject}, &found)
	switch {
	case errors.Is(err, errNotAllowed):
		return nil
	case err != nil:
		return fmt.Errorf("natssink: the stream of subject %q: %w", name, err)
	case len(found.Streams) == 0:
		return fmt.Errorf("natssink: no stream takes subject %q: create one with this subject, or name another one in the route", name)
	}
	if err := s.ask(ctx, subject); err != nil {
		return fmt.Errorf("natssink: the stream of subject %q: %w", name, err)
	}
	return nil
}
