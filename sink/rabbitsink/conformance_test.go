package rabbitsink

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/faultproxy"
	"github.com/sendoff-go/outbox/sinktest"
)

func TestSink(t *testing.T) { sinktest.Run(t, subject(nil)) }

func TestSinkToQuorumQueues(t *testing.T) {
	sinktest.Run(t, subject(map[string]any{"x-queue-type": "quorum"}))
}

// subject opens a sink behind a proxy, with an exchange and a queue of its own.
func subject(queueArgs map[string]any) sinktest.Open {
	return func(t testing.TB) sinktest.Subject {
		b := dialBroker(t)
		exchange := b.exchange()
		in := b.consume(b.queue(exchange, "#", queueArgs))
		proxy := faultproxy.New(t, hostOf(t))
		cfg := Config{URL: through(t, proxy.Addr())}
		hasty := cfg
		hasty.Timeout = 3 * time.Second
		return sinktest.Subject{
			Sink: open(t, cfg), Destination: exchange, Faults: proxy,
			SendTimeout: hasty.Timeout, Hasty: func(t testing.TB) outbox.Sink { return open(t, hasty) }, TooLarge: 4<<20 + 1, Unroutable: "ob-no-such-exchange",
			Reopen:  func(t testing.TB) outbox.Sink { return open(t, cfg) },
			Receive: in.arrivals,
			Narrow: func(testing.TB) (string, int, func(int, time.Duration) []sinktest.Arrival) {
				exchange := b.exchange()
				// A quorum queue accepts the message that makes it too large.
				queue := b.queue(exchange, "#", map[string]any{"x-max-length-bytes": 2000, "x-overflow": "reject-publish"})
				return exchange, 2500, func(n int, wait time.Duration) []sinktest.Arrival { return b.consume(queue).arrivals(n, wait) }
			},
		}
	}
}

func (in *inbox) arrivals(n int, wait time.Duration) (as []sinktest.Arrival) {
	for _, d := range in.receive(n, wait) {
		as = append(as, sinktest.Arrival{Received: Message(d)})
	}
	return as
}
