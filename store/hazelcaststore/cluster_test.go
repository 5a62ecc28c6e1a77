package hazelcaststore

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/hazelcast/hazelcast-go-client"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/await"
	"github.com/sendoff-go/outbox/internal/hazelrig"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/relay"
)

// TestAMemberThatCrashesUnderLoadLosesNothing has two processes write and relay
// on two members, and kills one of these. Half of the events wait until after
// that. Maps have one backup by default.
func TestAMemberThatCrashesUnderLoadLosesNothing(t *testing.T) {
	testenv.Control(t, testenv.Hazelcast)
	t.Setenv("OUTBOX_TEST_HAZELCAST_JOIN", testenv.URL(t, testenv.Hazelcast))
	first := hazelrig.Address(t)
	second := testenv.Control(t, testenv.Hazelcast)
	members := []string{hazelrig.Address(t), first}
	l := &load{t: t, acknowledged: map[string]bool{}, delivered: map[string]int{}}
	var stores []*Store
	for range 2 {
		s := newStore(t, apart(t, clientConfig(members...)), Config{Name: "crash", CallTimeout: 5 * time.Second})
		l.write(s, l.relay(s, "Loaded"))
		stores = append(stores, s)
	}
	atCrash, waiting := 0, 0
	l.until("events are delivered, and others wait", func() bool {
		atCrash, waiting = len(l.acknowledged), len(l.lost())
		return len(l.delivered) >= 300 && waiting >= 300
	})
	second.Crash()
	l.until("the other member takes events", func() bool { return len(l.acknowledged) >= atCrash+500 })
	l.stopWriting()
	l.relay(stores[0], "Kept")
	l.until("all that was acknowledged is delivered", func() bool { return len(l.lost()) == 0 })
	l.mu.Lock()
	defer l.mu.Unlock()
	doubled := 0
	for _, n := range l.delivered {
		if n > 1 {
			doubled++
		}
	}
	t.Logf("%d acknowledged, %d of them waiting in the crash and %d after it; %d writes failed; lost 0, doubled %d",
		len(l.acknowledged), waiting, len(l.acknowledged)-atCrash, l.failed, doubled)
}

// apart is a client of a test that stops members.
func apart(t testing.TB, cfg hazelcast.Config) *hazelcast.Client {
	t.Helper()
	client := start(t, cfg)
	t.Cleanup(func() { end(client) })
	return client
}

// load is written and relayed at the same time.
type load struct {
	t       testing.TB
	writers []func()

	mu           sync.Mutex
	acknowledged map[string]bool
	delivered    map[string]int
	failed       int
}

// relay delivers the events of one type until the test ends.
func (l *load) relay(s *Store, eventType string) *relay.Relay {
	reg := outbox.NewRegistry()
	reg.Handle(eventType, func(_ context.Context, e outbox.Event) error {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.delivered[e.ID]++
		return nil
	})
	r, err := relay.New(s, reg, relay.Config{
		Lane: relay.LaneConfig{Interval: 50 * time.Millisecond}, Lease: 6 * time.Second, HeadStart: 3 * time.Second,
		LookInterval: time.Second, SweepInterval: time.Second, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		l.t.Fatal(err)
	}
	l.start(func(ctx context.Context) {
		if err := r.Run(ctx); err != nil {
			l.t.Errorf("relay: %v", err)
		}
	})
	return r
}

// write writes events of both types, some of them on the hot path of the relay.
func (l *load) write(s *Store, r *relay.Relay) {
	w := outbox.NewWriter(s, r.HotPath())
	l.writers = append(l.writers, l.start(func(ctx context.Context) {
		for n := 1; ctx.Err() == nil; n++ {
			l.writeSome(ctx, w, n%4+1)
		}
	}))
}

func (l *load) start(f func(ctx context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); f(ctx) }()
	stop = func() { cancel(); <-done }
	l.t.Cleanup(stop)
	return stop
}

func (l *load) writeSome(ctx context.Context, w *outbox.Writer[*Tx], n int) {
	var ids []string
	err := w.InTx(ctx, func(ctx context.Context, tx *Tx) (err error) {
		es := make([]outbox.Event, n)
		for i := range es {
			es[i] = outbox.Event{Type: []string{"Loaded", "Kept"}[i%2], JSON: fmt.Appendf(nil, `{"of":%d}`, n)}
		}
		ids, err = w.WriteAll(ctx, tx, es...)
		return err
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err == nil:
		for _, id := range ids {
			l.acknowledged[id] = true
		}
	case ctx.Err() != nil:
	case errors.Is(err, outbox.ErrStoreDown), errors.Is(err, outbox.ErrCommitUnknown):
		l.failed++
	default:
		l.t.Errorf("during an outage: %v", err)
	}
}

func (l *load) stopWriting() {
	for _, stop := range l.writers {
		stop()
	}
}

// lost are the acknowledged events that nobody got. The caller holds the lock.
func (l *load) lost() (ids []string) {
	for id := range l.acknowledged {
		if l.delivered[id] == 0 {
			ids = append(ids, id)
		}
	}
	return ids
}

func (l *load) until(what string, ok func() bool) {
	l.t.Helper()
	await.Within(l.t, await.Patience, what, func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		return ok()
	}, func() string {
		l.mu.Lock()
		defer l.mu.Unlock()
		return fmt.Sprintf("acknowledged %d, delivered %d, writes failed %d, lost %v", len(l.acknowledged), len(l.delivered), l.failed, l.lost())
	})
}
