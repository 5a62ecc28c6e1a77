package natssink_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/faultproxy"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/sink/natssink"
	"github.com/sendoff-go/outbox/store/memstore"
)

// Two sinks in one process: one loses its server, and hangs, and the other goes
// on.
func TestAnOutageSpendsNoAttemptAndDelaysNoOtherSink(t *testing.T) {
	away, steady := newSubject(t, nil), newSubject(t, nil)
	proxy := faultproxy.New(t, server(t))
	broken := open(t, natssink.Config{URL: "nats://" + proxy.Addr(), Timeout: 500 * time.Millisecond, DialTimeout: 500 * time.Millisecond})

	reg := outbox.NewRegistry()
	reg.Route("order", broken, outbox.To(away))
	reg.Route("other", open(t, natssink.Config{}), outbox.To(steady))
	var mu sync.Mutex
	opened := false
	store := memstore.New(memstore.Config{})
	r, err := relay.New(store, reg, relay.Config{
		Lane: relay.LaneConfig{Interval: 50 * time.Millisecond},
		Hooks: outbox.Hooks{
			Breaker: func(i outbox.BreakerInfo) {
				mu.Lock()
				defer mu.Unlock()
				opened = opened || i.Open
			},
			Failed: func(i outbox.FailedInfo) {
				if i.Counted {
					t.Errorf("an attempt was spent: %v", i.Err)
				}
			},
			Dead: func(i outbox.FailedInfo) { t.Errorf("an event died: %v", i.Err) },
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	w := outbox.NewWriter(store, r)
	write := func(eventType string, n int) {
		t.Helper()
		es := make([]outbox.Event, n)
		for i := range es {
			es[i] = outbox.NewJSON(eventType, `{}`)
		}
		err := w.InTx(t.Context(), func(ctx context.Context, tx *memstore.Tx) error {
			_, err := w.WriteAll(ctx, tx, es)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()

	orders, others := consume(t, away), consume(t, steady)
	write("order", 100)
	if n := len(orders.receive(100, patience)); n != 100 {
		t.Fatalf("%d of 100 arrived", n)
	}
	proxy.Hang()
	write("order", 100)
	write("other", 50)
	eventually(t, "the breaker opens", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return opened
	})
	proxy.Refuse()
	write("order", 100)
	write("other", 50)
	if n := len(others.receive(100, patience)); n != 100 {
		t.Errorf("%d of 100 of the other sink arrived during the outage", n)
	}
	proxy.Pass()
	if n := len(orders.receive(300, patience)); n != 300 {
		t.Errorf("%d of 300 arrived", n)
	}
	if n := len(orders.receive(301, time.Second)); n != 300 {
		t.Errorf("%d arrived, although the server drops duplicates", n)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
