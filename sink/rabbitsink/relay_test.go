package rabbitsink

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/faultproxy"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/memstore"
)

func TestARelayDeliversEverythingAfterAnOutageAndSpendsNoAttempt(t *testing.T) {
	b := dialBroker(t)
	exchange := b.exchange()
	in := b.consume(b.queue(exchange, "#", nil))
	proxy := faultproxy.New(t, hostOf(t))
	s := open(t, Config{URL: through(t, proxy.Addr()), Timeout: 500 * time.Millisecond, DialTimeout: 500 * time.Millisecond})

	others := make(chan struct{}, 1)
	reg := outbox.NewRegistry()
	reg.Route("order", s, outbox.To(exchange))
	reg.Handle("other", func(context.Context, outbox.Event) error { others <- struct{}{}; return nil })
	opened := make(chan struct{}, 100)
	var mu sync.Mutex
	delivered := map[string]int{}
	store := memstore.New(memstore.Config{})
	r, err := relay.New(store, reg, relay.Config{
		Lane: relay.LaneConfig{Interval: 50 * time.Millisecond},
		Hooks: outbox.Hooks{
			Breaker: func(i outbox.BreakerInfo) {
				if i.Open {
					opened <- struct{}{}
				}
			},
			Failed: func(i outbox.FailedInfo) {
				if i.Counted {
					t.Errorf("an attempt was spent: %v", i.Err)
				}
			},
			Dead: func(i outbox.FailedInfo) { t.Errorf("an event died: %v", i.Err) },
			Delivered: func(i outbox.DeliveredInfo) {
				mu.Lock()
				defer mu.Unlock()
				delivered[i.Event.ID] = i.Attempt
			},
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
	in.receive(100, patience)
	proxy.Hang()
	write("order", 100)
	await(t, opened)
	proxy.Refuse()
	write("order", 100)
	write("other", 1)
	await(t, others) // while the broker is away
	proxy.Pass()
	until(t, func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(delivered) == 301
	})
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	until(t, func() bool {
		arrived := map[string]bool{}
		for _, d := range in.receive(300, time.Second) {
			arrived[d.MessageId] = true
		}
		return len(arrived) == 300
	})
	for id, attempt := range delivered {
		if attempt != 1 {
			t.Errorf("event %s took %d attempts", id, attempt)
		}
	}
}

func await(t *testing.T, c <-chan struct{}) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(patience):
		t.Fatal("waited in vain")
	}
}
