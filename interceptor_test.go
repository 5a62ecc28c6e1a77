package outbox_test

import (
	"context"
	"errors"
	"testing"

	"github.com/sendoff-go/outbox"
)

func TestFunctionsAreInterceptorsOfOneSide(t *testing.T) {
	var after error
	b := outbox.Before(func(context.Context, outbox.Event) error { return errCause })
	a := outbox.After(func(_ context.Context, _ outbox.Event, err error) { after = err })
	if ctx, err := b.Before(t.Context(), valid()); ctx == nil || !errors.Is(err, errCause) {
		t.Errorf("context %v, error %v", ctx, err)
	}
	b.After(t.Context(), valid(), errCause)
	if ctx, err := a.Before(t.Context(), valid()); ctx == nil || err != nil {
		t.Errorf("context %v, error %v", ctx, err)
	}
	if a.After(t.Context(), valid(), errCause); !errors.Is(after, errCause) {
		t.Errorf("told %v", after)
	}
}
