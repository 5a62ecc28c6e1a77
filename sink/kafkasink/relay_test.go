package kafkasink_test

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/faultproxy"
	"github.com/sendoff-go/outbox/internal/sinkrig"
	"github.com/sendoff-go/outbox/sink/kafkasink"
)

// Two sinks in one process: one loses its server and hangs, the other goes on.
func TestAnOutageSpendsNoAttemptAndDelaysNoOtherSink(t *testing.T) {
	away, steady := newTopic(t, 3, nil), newTopic(t, 3, nil)
	proxy := faultproxy.New(t, broker(t))
	broken := open(t, kafkasink.Config{Dial: through(proxy), Timeout: 3 * time.Second})

	reg := outbox.NewRegistry()
	reg.Route("order", broken, outbox.To(away))
	reg.Route("other", open(t, kafkasink.Config{}), outbox.To(steady))
	r := sinkrig.Run(t, reg)

	r.Write("order", 100)
	distinct(t, away, 100)
	proxy.Hang()
	r.Write("order", 100)
	r.Write("other", 50)
	r.AwaitBreaker()
	proxy.Refuse()
	r.Write("order", 100)
	r.Write("other", 50)
	distinct(t, steady, 100) // during the outage
	proxy.Pass()
	distinct(t, away, 300)
	r.Stop()
}

// distinct waits until exactly that many events have arrived at a topic.
func distinct(t *testing.T, topic string, n int) {
	t.Helper()
	c := consume(t, topic)
	ids := map[string]bool{}
	eventually(t, "all events have arrived", func() bool {
		for _, r := range c.records(len(c.got)+1, 200*time.Millisecond) {
			ids[kafkasink.Message(r).EventID] = true
		}
		return len(ids) >= n
	})
	if len(ids) != n {
		t.Errorf("%d events arrived at %s, expected %d", len(ids), topic, n)
	}
}
