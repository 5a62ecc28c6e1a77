package rabbitsink

import (
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/faultproxy"
	"github.com/sendoff-go/outbox/internal/sinkrig"
)

func TestARelayDeliversEverythingAfterAnOutageAndSpendsNoAttempt(t *testing.T) {
	b := dialBroker(t)
	exchange := b.exchange()
	in := b.consume(b.queue(exchange, "#", nil))
	proxy := faultproxy.New(t, hostOf(t))
	s := open(t, Config{URL: through(t, proxy.Addr()), Timeout: 3 * time.Second, DialTimeout: 3 * time.Second})

	others := make(chan struct{}, 1)
	reg := outbox.NewRegistry()
	reg.Route("order", s, outbox.To(exchange))
	reg.Handle("other", func(context.Context, outbox.Event) error { others <- struct{}{}; return nil })
	r := sinkrig.Run(t, reg)

	r.Write("order", 100)
	in.receive(100, patience)
	proxy.Hang()
	r.Write("order", 100)
	r.AwaitBreaker()
	proxy.Refuse()
	r.Write("order", 100)
	r.Write("other", 1)
	select {
	case <-others: // while the broker is down
	case <-time.After(patience):
		t.Fatal("the other event waited for the broker")
	}
	proxy.Pass()
	r.AwaitDelivered(301)
	r.Stop()
	in.awaitDifferent(t, 300)
}
