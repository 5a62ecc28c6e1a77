package daemon

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
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
