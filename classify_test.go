package outbox_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

var errCause = errors.New("cause")

func TestErrorsAreClassified(t *testing.T) {
	for _, tt := range []struct {
		name                   string
		err                    error
		permanent, unavailable bool
	}{
		{"nil", nil, false, false},
		{"a plain error", errCause, false, false},
		{"permanent", outbox.Permanent(errCause), true, false},
		{"unavailable", outbox.Unavailable(errCause), false, true},
		{"wrapped", fmt.Errorf("send: %w", outbox.Unavailable(errCause)), false, true},
		{"joined", errors.Join(errCause, outbox.Permanent(errCause)), true, false},
		{"the outer mark wins", outbox.Permanent(outbox.Unavailable(errCause)), true, false},
		{"the outer mark wins, the other way", outbox.Unavailable(outbox.Permanent(errCause)), false, true},
		{"permanent nil", outbox.Permanent(nil), false, false},
		{"unavailable nil", outbox.Unavailable(nil), false, false},
	} {
		if p, u := outbox.IsPermanent(tt.err), outbox.IsUnavailable(tt.err); p != tt.permanent || u != tt.unavailable {
			t.Errorf("%s: permanent %t, unavailable %t", tt.name, p, u)
		}
	}
	if outbox.Permanent(nil) != nil || outbox.Unavailable(nil) != nil {
		t.Error("no error became one")
	}
	if err := outbox.Permanent(errCause); !errors.Is(err, errCause) || err.Error() != "cause" {
		t.Errorf("the mark hides the error: %v", err)
	}
}

func TestRetryAfterCountsOnlyWithAnError(t *testing.T) {
	for _, tt := range []struct {
		name    string
		err     error
		delay   time.Duration
		counted bool
		ok      bool
	}{
		{"nil", nil, 0, true, false},
		{"a plain error", errCause, 0, true, false},
		{"by itself", outbox.RetryAfter(time.Minute), time.Minute, false, true},
		{"joined with an error", errors.Join(errCause, outbox.RetryAfter(time.Minute)), time.Minute, true, true},
		{"wrapped", fmt.Errorf("busy: %w", outbox.RetryAfter(time.Minute)), time.Minute, true, true},
		{"negative", outbox.RetryAfter(-time.Minute), 0, false, true},
		{"zero", outbox.RetryAfter(0), 0, false, true},
	} {
		d, counted, ok := driver.RetryDelay(tt.err)
		if d != tt.delay || counted != tt.counted || ok != tt.ok {
			t.Errorf("%s: %s, counted %t, ok %t", tt.name, d, counted, ok)
		}
	}
}
