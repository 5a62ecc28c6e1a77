package kafkasink_test

import (
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/faultproxy"
	"github.com/sendoff-go/outbox/sink/kafkasink"
	"github.com/sendoff-go/outbox/sinktest"
)

const largeMessages = 1_500_000

func subject(t testing.TB, connect func(t testing.TB, p *faultproxy.Proxy) outbox.Sink) sinktest.Subject {
	t.Helper()
	p := faultproxy.New(t, broker(t))
	topic := newTopic(t, 3, map[string]string{"max.message.bytes": "2000000"})
	return sinktest.Subject{
		Sink: connect(t, p), Destination: topic, Receive: consume(t, topic).receive,
		Keyed:    true,
		TooLarge: largeMessages + 1, Unroutable: "missing-" + topic,
		Faults: p,
	}
}

func TestSink(t *testing.T) {
	limited := func(t testing.TB, p *faultproxy.Proxy, limit time.Duration) outbox.Sink {
		return open(t, kafkasink.Config{Dial: through(p), MaxMessageBytes: largeMessages, Timeout: limit})
	}
	connect := func(t testing.TB, p *faultproxy.Proxy) outbox.Sink { return limited(t, p, 0) }
	sinktest.Run(t, func(t testing.TB) sinktest.Subject {
		s := subject(t, connect)
		p := s.Faults.(*faultproxy.Proxy)
		s.SendTimeout = 3 * time.Second
		s.Hasty = func(t testing.TB) outbox.Sink { return limited(t, p, s.SendTimeout) }
		s.Reopen = func(t testing.TB) outbox.Sink { return connect(t, p) }
		return s
	})
}

func TestASinkOnTheCallersClient(t *testing.T) {
	sinktest.Run(t, func(t testing.TB) sinktest.Subject {
		return subject(t, func(t testing.TB, p *faultproxy.Proxy) outbox.Sink {
			client, err := kgo.NewClient(append(kafkasink.ClientOptions(),
				kgo.SeedBrokers(broker(t)), kgo.Dialer(through(p)), kgo.ProducerBatchMaxBytes(largeMessages))...)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(client.Close)
			s, err := kafkasink.New(kafkasink.Config{Client: client})
			if err != nil {
				t.Fatal(err)
			}
			return s
		})
	})
}
