package daemon

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

type answering func(ctx context.Context) []error

func (a answering) Send(ctx context.Context, _ []outbox.Message) []error { return a(ctx) }

func TestASendIsCutOnlyIfTheShutdownMadeItFail(t *testing.T) {
	for want, errs := range map[int64][]error{0: {nil, nil}, 1: {nil, errors.New("cut")}} {
		ctx, cancel := context.WithCancel(t.Context())
		_, b := bound("x", answering(func(context.Context) []error { cancel(); return errs }), time.Minute)
		b.Send(ctx, make([]outbox.Message, 2))
		if got := b.cut.Load(); got != want {
			t.Errorf("%v counts %d, want %d", errs, got, want)
		}
	}
}

// places is a sink of several servers, one of which is down.
type places struct{ answering }

func (places) Check(context.Context) error { return errors.New("one of them is down") }

func (places) CheckDestination(_ context.Context, m outbox.Message) error {
	if m.Destination == "away" {
		return errors.New("it is down")
	}
	return nil
}

func TestADestinationIsCheckedByItselfThroughTheBound(t *testing.T) {
	s, _ := bound("x", places{}, time.Minute)
	reg := outbox.NewRegistry()
	reg.Route("a", s, outbox.To("away"))
	reg.Route("b", s, outbox.To("here"))
	if err := driver.DestinationOf(reg.Lookup("", "a")).Check()(t.Context()); err == nil || err.Error() != "it is down" {
		t.Errorf("the one that is down: %v", err)
	}
	if err := driver.DestinationOf(reg.Lookup("", "b")).Check()(t.Context()); err != nil {
		t.Errorf("the other: %v", err)
	}
}
