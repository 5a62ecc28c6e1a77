package main

import (
	"context"
	"errors"
	"testing"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
)

func TestARefusedPausePrintsNothingElse(t *testing.T) {
	s := serve(t)
	for _, line := range []string{"pause OrderPaid", "pause OrderPaid OrderPlaced", "resume --all"} {
		got := s.through(t, "vera", line)
		if got.code != exitRefused || got.stdout != "" || !matches("this is for the role operator", got.stderr) {
			t.Errorf("%s: %+v", line, got)
		}
	}
}

// secondFails pauses the first thing of a call and fails at the next.
type secondFails struct {
	admin.Store
	called int
}

func (s *secondFails) SetPaused(ctx context.Context, p driver.Pausable, paused bool, by string) error {
	if s.called++; s.called > 1 {
		return errors.New("broken")
	}
	return s.Store.SetPaused(ctx, p, paused, by)
}

func TestAPauseThatFailedMidwaySaysWhatIsPaused(t *testing.T) {
	s := serve(t, func(c *admin.Config) { c.Store = &secondFails{Store: c.Store} })
	got := s.through(t, "ann", "pause OrderPaid OrderPlaced")
	if got.code != exitFailure || got.stdout != "paused: OrderPaid\n" {
		t.Errorf("got %+v", got)
	}
}
