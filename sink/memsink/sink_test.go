package memsink_test

import (
	"context"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/sink/memsink"
)

func TestAMessageComesOutAsItWasSent(t *testing.T) {
	s := memsink.New(1)
	m := outbox.Message{Event: outbox.NewJSON("A", `{"n":1}`), Destination: "a", Key: "k"}
	if errs := s.Send(t.Context(), []outbox.Message{m}); errs[0] != nil {
		t.Fatal(errs[0])
	}
	m.Event.JSON[0] = '!'
	if got := <-s.Messages(); string(got.Payload()) != `{"n":1}` || got.Destination != "a" || got.Key != "k" {
		t.Errorf("got %+v", got)
	}
}

func TestAFullSinkIsUnavailableAndNotAFailure(t *testing.T) {
	s := memsink.New(1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	errs := s.Send(ctx, make([]outbox.Message, 3))
	full := 0
	for _, err := range errs {
		if outbox.IsUnavailable(err) {
			full++
		}
	}
	if full < 2 {
		t.Errorf("errors %v: one has room, two have none", errs)
	}
}
