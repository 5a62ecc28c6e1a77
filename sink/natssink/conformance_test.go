package natssink_test

import (
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/faultproxy"
	"github.com/sendoff-go/outbox/sink/natssink"
	"github.com/sendoff-go/outbox/sinktest"
)

func subject(t testing.TB, connect func(t testing.TB, address string) outbox.Sink) sinktest.Subject {
	t.Helper()
	p := faultproxy.New(t, server(t))
	name := newSubject(t, nil)
	return sinktest.Subject{
		Sink: connect(t, p.Addr()), Destination: name, Receive: consume(t, name).receive,
		Deduplicates: true,
		TooLarge:     2_100_000, Unroutable: "missing." + name,
		Narrow: func(t testing.TB) (string, int, func(int, time.Duration) []sinktest.Arrival) {
			name := newSubject(t, func(c *jetstream.StreamConfig) { c.MaxBytes, c.Discard = 4000, jetstream.DiscardNew })
			return name, 5000, consume(t, name).receive
		},
		Faults: p,
	}
}

func TestSink(t *testing.T) {
	connect := func(t testing.TB, address string) outbox.Sink {
		return open(t, natssink.Config{URL: "nats://" + address})
	}
	sinktest.Run(t, func(t testing.TB) sinktest.Subject {
		s := subject(t, connect)
		address := s.Faults.(*faultproxy.Proxy).Addr()
		s.SendTimeout = 3 * time.Second
		s.Hasty = func(t testing.TB) outbox.Sink {
			return open(t, natssink.Config{URL: "nats://" + address, Timeout: s.SendTimeout})
		}
		s.Reopen = func(t testing.TB) outbox.Sink { return connect(t, address) }
		return s
	})
}

func TestASinkOnTheCallersConnection(t *testing.T) {
	sinktest.Run(t, func(t testing.TB) sinktest.Subject {
		s := subject(t, func(t testing.TB, address string) outbox.Sink {
			nc := dial(t, "nats://"+address, nats.MaxReconnects(-1), nats.ReconnectWait(100*time.Millisecond))
			t.Cleanup(nc.Close)
			s, err := natssink.New(natssink.Config{Client: nc})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = s.Close() })
			return s
		})
		s.Connected = true
		return s
	})
}
