package natssink_test

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/faultproxy"
	"github.com/sendoff-go/outbox/internal/sinkrig"
	"github.com/sendoff-go/outbox/sink/natssink"
)

// Two sinks in one process: one loses its server and hangs, the other goes on.
func TestAnOutageSpendsNoAttemptAndDelaysNoOtherSink(t *testing.T) {
	away, steady := newSubject(t, nil), newSubject(t, nil)
	proxy := faultproxy.New(t, server(t))
	broken := open(t, natssink.Config{URL: "nats://" + proxy.Addr(), Timeout: 3 * time.Second, DialTimeout: 3 * time.Second})

	reg := outbox.NewRegistry()
	reg.Route("order", broken, outbox.To(away))
	reg.Route("other", open(t, natssink.Config{}), outbox.To(steady))
	r := sinkrig.Run(t, reg)

	orders, others := consume(t, away), consume(t, steady)
	r.Write("order", 100)
	if n := len(orders.receive(100, patience)); n != 100 {
		t.Fatalf("%d of 100 arrived", n)
	}
	proxy.Hang()
	r.Write("order", 100)
	r.Write("other", 50)
	r.AwaitBreaker()
	proxy.Refuse()
	r.Write("order", 100)
	r.Write("other", 50)
	if n := len(others.receive(100, patience)); n != 100 {
		t.Errorf("%d of 100 of the other sink arrived during the outage", n)
	}
	proxy.Pass()
	if n := len(orders.receive(300, patience)); n != 300 {
		t.Errorf("%d of 300 arrived", n)
	}
	if n := len(orders.settled(300)); n != 300 {
		t.Errorf("%d arrived, although the server drops duplicates", n)
	}
	r.Stop()
}
