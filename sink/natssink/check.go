package natssink

import (
	"context"
	"fmt"

	"github.com/sendoff-go/outbox/driver"
)

// Check implements [driver.Checker]: it passes when the server answers, and so
// do the streams of the subjects that could not be reached. A stream without a
// leader is silent even while its server answers.
func (s *Sink) Check(ctx context.Context) error {
	if s.isClosed() {
		return errClosed
	}
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	if err := s.link.wait(ctx, s.patience, s.closed); err != nil {
		return fmt.Errorf("natssink: %w", err)
	}
	if err := s.nc.FlushWithContext(ctx); err != nil {
		return fmt.Errorf("natssink: the server does not answer: %w", err)
	}
	subjects := s.failed.List()
	for _, subject := range subjects {
		if err := s.ask(ctx, subject); err != nil {
			return fmt.Errorf("natssink: the stream of subject %q: %w", driver.DestinationName(subject), err)
		}
	}
	s.failed.Remove(subjects)
	return nil
}
