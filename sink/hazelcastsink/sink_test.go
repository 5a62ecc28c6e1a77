package hazelcastsink

import (
	"crypto/rand"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hazelcast/hazelcast-go-client/serialization"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/await"
	"github.com/sendoff-go/outbox/internal/faultproxy"
	"github.com/sendoff-go/outbox/internal/hazelrig"
	"github.com/sendoff-go/outbox/sinktest"
)

const patience = await.Patience

func TestPlainTopics(t *testing.T) { sinktest.Run(t, subject(false)) }

func TestReliableTopics(t *testing.T) { sinktest.Run(t, subject(true)) }

// subject opens a sink behind a proxy with a topic of its own, which a program
// in Java listens to. A client that connects to every member would go around
// the proxy.
func subject(reliable bool) sinktest.Open {
	return func(t testing.TB) sinktest.Subject {
		l, topic := shared(t), newTopic()
		l.Listen(t, topic, reliable)
		proxy := faultproxy.New(t, hazelrig.Address(t))
		cfg := Config{Addresses: []string{proxy.Addr()}, ClusterName: hazelrig.ClusterName, Unisocket: true, Reliable: reliable, DialTimeout: patience}
		hasty := cfg
		hasty.Timeout = 3 * time.Second
		return sinktest.Subject{
			Sink: open(t, cfg), Destination: topic, Faults: proxy,
			SendTimeout: hasty.Timeout, Hasty: func(t testing.TB) outbox.Sink { return open(t, hasty) },
			Reopen: func(t testing.TB) outbox.Sink { return open(t, cfg) },
			Receive: func(n int, wait time.Duration) []sinktest.Arrival {
				var as []sinktest.Arrival
				for _, a := range l.Receive(t, topic, n, wait) {
					as = append(as, sinktest.Arrival{Received: decode(t, a)})
				}
				return as
			},
		}
	}
}

// decode reads what a listener in Java has got, and checks that it has
// understood it too.
func decode(t testing.TB, a hazelrig.Arrival) outbox.Received {
	t.Helper()
	m, err := Message(serialization.JSON(a.Text))
	if err != nil {
		t.Fatal(err)
	}
	if m.EventID != a.EventID || m.EventType != a.EventType {
		t.Fatalf("Java has read event %q of type %q in %s", a.EventID, a.EventType, a.Text)
	}
	return m
}

func newTopic() string { return "ob-" + strings.ToLower(rand.Text()[:10]) }

func open(t testing.TB, cfg Config) *Sink {
	t.Helper()
	s, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// connected waits until a sink has a connection: a Send gives a busy machine only
// the DialTimeout for it.
func connected(t testing.TB, s *Sink) {
	t.Helper()
	await.Until(t, "the sink is connected", func() bool { return s.Check(t.Context()) == nil })
}

func message(topic string) outbox.Message {
	e := outbox.Event{Type: "a", JSON: []byte(`{"n":1}`)}
	e.ID = outbox.NewID()
	return outbox.Message{Event: e, Destination: topic, Headers: map[string]string{outbox.HeaderEventID: e.ID, outbox.HeaderEventType: "a"}}
}

func BenchmarkSend(b *testing.B) {
	for _, reliable := range []bool{false, true} {
		b.Run(map[bool]string{false: "plain", true: "reliable"}[reliable], func(b *testing.B) {
			s := open(b, Config{Addresses: []string{hazelrig.Address(b)}, ClusterName: hazelrig.ClusterName, Reliable: reliable})
			topic := newTopic()
			var batch []outbox.Message
			for range 500 {
				batch = append(batch, message(topic))
			}
			b.ReportAllocs()
			for b.Loop() {
				if err := errors.Join(s.Send(b.Context(), batch)...); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N*len(batch))/b.Elapsed().Seconds(), "events/s")
		})
	}
}
