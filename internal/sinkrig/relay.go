package sinkrig

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/await"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/memstore"
)

// Relay runs for a test of an outage: an attempt that is spent, or an event
// that dies, is an error of the test.
type Relay struct {
	t    testing.TB
	w    *outbox.Writer[*memstore.Tx]
	stop func()

	mu        sync.Mutex
	opened    bool
	delivered map[string]bool
}

// Run starts a relay on its own store. It stops with the test, if not before.
func Run(t testing.TB, reg *outbox.Registry) *Relay {
	t.Helper()
	r := &Relay{t: t, delivered: map[string]bool{}}
	store := memstore.New(memstore.Config{})
	run, err := relay.New(store, reg, relay.Config{
		Lane:  relay.LaneConfig{Interval: 50 * time.Millisecond},
		Hooks: r.hooks(),
	})
	if err != nil {
		t.Fatal(err)
	}
	r.w = outbox.NewWriter(store, run.HotPath())
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- run.Run(ctx) }()
	r.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(r.stop)
	return r
}

func (r *Relay) hooks() observe.Hooks {
	return observe.Hooks{
		Breaker: func(i observe.BreakerInfo) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.opened = r.opened || i.Open
		},
		Failed: func(i observe.FailedInfo) {
			if i.Counted {
				r.t.Errorf("an attempt was spent: %v", i.Err)
			}
		},
		Dead: func(i observe.FailedInfo) { r.t.Errorf("an event died: %v", i.Err) },
		Delivered: func(i observe.DeliveredInfo) {
			if i.Attempt != 1 {
				r.t.Errorf("event %s took %d attempts", i.Event.ID, i.Attempt)
			}
			r.mu.Lock()
			defer r.mu.Unlock()
			r.delivered[i.Event.ID] = true
		},
	}
}

// Write writes n events of a type in one transaction.
func (r *Relay) Write(eventType string, n int) {
	r.t.Helper()
	es := make([]outbox.Event, n)
	for i := range es {
		es[i] = outbox.Event{Type: eventType, JSON: []byte(`{}`)}
	}
	err := r.w.InTx(r.t.Context(), func(ctx context.Context, tx *memstore.Tx) error {
		_, err := r.w.WriteAll(ctx, tx, es...)
		return err
	})
	if err != nil {
		r.t.Fatal(err)
	}
}

// AwaitBreaker waits until a breaker has opened.
func (r *Relay) AwaitBreaker() {
	r.t.Helper()
	await.Until(r.t, "a breaker opens", func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.opened
	})
}

// AwaitDelivered waits until n different events have been delivered, by
// listeners and sinks together.
func (r *Relay) AwaitDelivered(n int) {
	r.t.Helper()
	await.Until(r.t, "all events are delivered", func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return len(r.delivered) == n
	})
}

// Stop stops the relay and waits for it.
func (r *Relay) Stop() { r.stop() }
