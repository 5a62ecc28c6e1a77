package outboxtest

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/sendoff-go/outbox"
)

// FlakySink is a sink that keeps what it gets and fails on demand. The zero
// value accepts everything.
type FlakySink struct {
	mu     sync.Mutex
	answer func(ctx context.Context, m outbox.Message) error
	down   bool
	hangs  bool
	sent   []outbox.Message
	checks int
	mend   func()
}

// ErrSinkDown is the error of a sink that is down.
var ErrSinkDown = errors.New("outboxtest: sink is down")

// Answer sets the function that answers every message from now on; nil accepts
// all.
func (s *FlakySink) Answer(f func(ctx context.Context, m outbox.Message) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = f
}

// Mend sets a function that each successful connection check calls, as a client
// would reconnect.
func (s *FlakySink) Mend(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mend = f
}

// SetDown makes every call, including the connection check, fail as unavailable.
func (s *FlakySink) SetDown(down bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down = down
}

// SetHanging makes every call wait for the end of its context, and the
// connection check fail.
func (s *FlakySink) SetHanging(hangs bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hangs = hangs
}

// Sent returns what was accepted, in order.
func (s *FlakySink) Sent() []outbox.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.sent)
}

// Checks returns the number of connection checks so far.
func (s *FlakySink) Checks() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.checks
}

func (s *FlakySink) state() (down, hangs bool, answer func(context.Context, outbox.Message) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.down, s.hangs, s.answer
}

// Send implements [outbox.Sink].
func (s *FlakySink) Send(ctx context.Context, batch []outbox.Message) []error {
	down, hangs, answer := s.state()
	errs := make([]error, len(batch))
	for i, m := range batch {
		switch {
		case hangs:
			<-ctx.Done()
			errs[i] = ctx.Err()
		case down:
			errs[i] = outbox.Unavailable(ErrSinkDown)
		case answer != nil:
			errs[i] = answer(ctx, m)
		}
		if errs[i] == nil {
			s.mu.Lock()
			s.sent = append(s.sent, m)
			s.mu.Unlock()
		}
	}
	return errs
}

// Check implements [driver.Checker].
func (s *FlakySink) Check(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.checks++
	if s.down || s.hangs {
		return ErrSinkDown
	}
	if s.mend != nil {
		s.mend()
	}
	return nil
}
