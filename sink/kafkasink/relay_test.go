package kafkasink_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/faultproxy"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/sink/kafkasink"
	"github.com/sendoff-go/outbox/store/memstore"
)

// Two sinks in one process: one loses its server, and hangs, and the other goes
// on.
func TestAnOutageSpendsNoAttemptAndDelaysNoOtherSink(t *testing.T) {
	away, steady := newTopic(t, 3, nil), newTopic(t, 3, nil)
	proxy := faultproxy.New(t, broker(t))
	broken := open(t, kafkasink.Config{Dial: through(proxy), Timeout: time.Second})

	reg := outbox.NewRegistry()
	reg.Route("order", broken, outbox.To(away))
	reg.Route("other", open(t, kafkasink.Config{}), outbox.To(steady))
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

	write("order", 100)
	distinct(t, away, 100)
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
	distinct(t, steady, 100) // during the outage
	proxy.Pass()
	distinct(t, away, 300)
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// distinct waits until that many events have arrived at a topic, and no more.
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
