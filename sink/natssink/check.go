package natssink

import (
	"context"
	"fmt"
	"sync"

	"github.com/sendoff-go/outbox/driver"
)

// maxFailed bounds the subjects that a check looks at.
const maxFailed = 100

// failedSubjects are the subjects that could not be reached since the last
// check that passed.
type failedSubjects struct {
	mu       sync.Mutex
	subjects map[string]struct{}
}

func (f *failedSubjects) add(subject string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.subjects == nil || len(f.subjects) >= maxFailed {
		f.subjects = map[string]struct{}{}
	}
	f.subjects[subject] = struct{}{}
}

func (f *failedSubjects) list() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := make([]string, 0, len(f.subjects))
	for s := range f.subjects {
		all = append(all, s)
	}
	return all
}

func (f *failedSubjects) remove(subjects []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range subjects {
		delete(f.subjects, s)
	}
}

// Check implements [driver.Checker]: the server answers, and so do the streams
// of the subjects that could not be reached. A stream without a leader is
// silent while its server is not.
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
	subjects := s.failed.list()
	for _, subject := range subjects {
		if err := s.ask(ctx, subject); err != nil {
			return fmt.Errorf("natssink: the stream of subject %q: %w", driver.DestinationName(subject), err)
		}
	}
	s.failed.remove(subjects)
	return nil
}
