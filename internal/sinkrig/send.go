package sinkrig

import (
	"context"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/await"
)

// Send sends and returns one answer for each message.
func Send(t testing.TB, s outbox.Sink, ms ...outbox.Message) []error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), await.Patience)
	defer cancel()
	errs := s.Send(ctx, ms)
	if errs == nil {
		return make([]error, len(ms))
	}
	if len(errs) != len(ms) {
		t.Fatalf("%d answers for %d messages", len(errs), len(ms))
	}
	return errs
}

// MustSend sends messages that must be delivered.
func MustSend(t testing.TB, s outbox.Sink, ms ...outbox.Message) {
	t.Helper()
	for i, err := range Send(t, s, ms...) {
		if err != nil {
			t.Fatalf("message %d: %v", i, err)
		}
	}
}

// Says checks that an answer is an error with these texts in it.
func Says(t testing.TB, err error, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("answer %v, expected %q in it", err, text)
		}
	}
}

// Away checks that a sink is unavailable to a message, fails its check, and says
// these things both times.
func Away(t testing.TB, s interface {
	outbox.Sink
	driver.Checker
}, m outbox.Message, says ...string) {
	t.Helper()
	err := Send(t, s, m)[0]
	if !outbox.IsUnavailable(err) {
		t.Errorf("answer %v, expected unavailable", err)
	}
	Says(t, err, says...)
	Says(t, s.Check(t.Context()), says...)
}

// AwayAndSays checks that a sink is unavailable to a message each time, and says
// this sooner or later: a server may close the connection before the client has
// read why.
func AwayAndSays(t testing.TB, s outbox.Sink, m outbox.Message, says string) {
	t.Helper()
	await.Until(t, "the answer says "+says, func() bool {
		err := Send(t, s, m)[0]
		if !outbox.IsUnavailable(err) {
			t.Fatalf("answer %v, expected unavailable", err)
		}
		return strings.Contains(err.Error(), says)
	})
}

// OwnFailure checks that an answer counts as an attempt and contains these texts.
func OwnFailure(t testing.TB, err error, says ...string) {
	t.Helper()
	if err == nil || outbox.IsUnavailable(err) || outbox.IsPermanent(err) {
		t.Fatalf("got %v, want a failure that counts", err)
	}
	Says(t, err, says...)
}
