package memsink_test

import (
	"context"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/sink/memsink"
	"github.com/sendoff-go/outbox/sinktest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func newSink(t testing.TB, capacity int) *memsink.Sink {
	t.Helper()
	s, err := memsink.New(memsink.Config{Capacity: capacity})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestANegativeCapacityIsRefused(t *testing.T) {
	if _, err := memsink.New(memsink.Config{Capacity: -1}); err == nil {
		t.Error("it was accepted")
	}
}

func TestAMessageArrivesAsItWasSent(t *testing.T) {
	s := newSink(t, 1)
	m := outbox.Message{Event: outbox.Event{Type: "A", JSON: []byte(`{"n":1}`)}, Destination: "a", Key: "k"}
	if errs := s.Send(t.Context(), []outbox.Message{m}); errs != nil {
		t.Fatal(errs)
	}
	m.Event.JSON[0] = '!'
	if got := <-s.Messages(); string(got.Payload()) != `{"n":1}` || got.Destination != "a" || got.Key != "k" {
		t.Errorf("got %+v", got)
	}
}

func TestAFullSinkIsUnavailableAndNotAFailure(t *testing.T) {
	s := newSink(t, 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	errs := s.Send(ctx, make([]outbox.Message, 3))
	if len(errs) != 3 || errs[0] != nil || !outbox.IsUnavailable(errs[1]) || !outbox.IsUnavailable(errs[2]) {
		t.Errorf("answers %v: expected room for one message only", errs)
	}
}

func TestSink(t *testing.T) {
	sinktest.Run(t, func(t testing.TB) sinktest.Subject {
		s := newSink(t, 10_000)
		var got []sinktest.Arrival
		return sinktest.Subject{
			Sink: s, Destination: "orders", Keyed: true,
			Receive: func(n int, wait time.Duration) []sinktest.Arrival {
				over := time.After(wait)
				for len(got) < n {
					select {
					case m := <-s.Messages():
						got = append(got, sinktest.Arrival{Received: memsink.Message(m), Key: m.Key})
					case <-over:
						return got
					}
				}
				return got
			},
		}
	})
}
