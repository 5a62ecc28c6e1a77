package relay_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/relaykit"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/memstore"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

// rig is a relay on the reference store, in a bubble where time is fake.
type rig struct {
	t     *testing.T
	store *memstore.Store
	reg   *outbox.Registry
	relay *relay.Relay
	w     *outbox.Writer[*memstore.Tx]
	seen  *recorder
	gate  chan struct{} // for listeners to wait at; made in the bubble
	stays bool          // a listener outlives the shutdown

	cancel context.CancelFunc
	done   chan error
}

// recorder notes what listeners get.
type recorder struct {
	mu  sync.Mutex
	ids []string
	n   map[string]int
}

func (s *recorder) note(e outbox.Event) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ids = append(s.ids, e.ID)
	s.n[e.ID]++
	return s.n[e.ID]
}

func (s *recorder) order() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.ids)
}

func (s *recorder) times(id string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.n[id]
}

func quietLog() *slog.Logger { return relaykit.QuietLog() }

func numbered(eventType string, from, to int) []outbox.Event {
	return relaykit.Numbered(eventType, from, to)
}

// bubble runs f in fake time with a rig whose relay is made by the config and
// is not running yet.
func bubble(t *testing.T, cfg relay.Config, register func(r *rig), f func(ctx context.Context, r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := &rig{t: t, store: memstore.New(memstore.Config{}), reg: outbox.NewRegistry(), seen: &recorder{n: map[string]int{}}, gate: make(chan struct{})}
		register(r)
		if cfg.Logger == nil {
			cfg.Logger = quietLog()
		}
		r.make(cfg)
		defer r.stop()
		f(t.Context(), r)
	})
}

func (r *rig) make(cfg relay.Config) {
	r.t.Helper()
	rel, err := relay.New(r.store, r.reg, cfg)
	if err != nil {
		r.t.Fatal(err)
	}
	r.relay = rel
	r.w = outbox.NewWriter(r.store, rel.HotPath(), outbox.WithLogger(quietLog()))
}

func (r *rig) run() {
	ctx, cancel := context.WithCancel(context.Background())
	r.cancel, r.done = cancel, make(chan error, 1)
	go func() { r.done <- r.relay.Run(ctx) }()
	synctest.Wait()
}

func (r *rig) stop() {
	if r.cancel == nil {
		return
	}
	r.cancel()
	if err := <-r.done; err != nil && !(r.stays && errors.Is(err, relay.ErrStillRunning)) {
		r.t.Errorf("Run: %v", err)
	}
	r.cancel = nil
}

// write stores events through a tracked transaction: hot if the relay runs.
func (r *rig) write(ctx context.Context, es ...outbox.Event) []string {
	r.t.Helper()
	var ids []string
	err := r.w.InTx(ctx, func(ctx context.Context, tx *memstore.Tx) error {
		var err error
		ids, err = r.w.WriteAll(ctx, tx, es...)
		return err
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return ids
}

// writeCold stores events that no relay is told of.
func (r *rig) writeCold(ctx context.Context, es ...outbox.Event) []string {
	r.t.Helper()
	w := outbox.NewWriter(r.store)
	var ids []string
	err := w.InTx(ctx, func(ctx context.Context, tx *memstore.Tx) error {
		var err error
		ids, err = w.WriteAll(ctx, tx, es...)
		return err
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return ids
}

func (r *rig) stats(ctx context.Context) driver.Stats {
	r.t.Helper()
	s, err := r.store.Stats(ctx)
	if err != nil {
		r.t.Fatal(err)
	}
	return s
}

func (r *rig) wantStats(ctx context.Context, waiting, held, done, dead int64) {
	r.t.Helper()
	s := r.stats(ctx)
	if s.Waiting.N != waiting || s.Held.N != held || s.Done.N != done || s.Dead.N != dead {
		r.t.Errorf("waiting %d, held %d, done %d, dead %d; want %d, %d, %d, %d",
			s.Waiting.N, s.Held.N, s.Done.N, s.Dead.N, waiting, held, done, dead)
	}
}

func (r *rig) letters(ctx context.Context) []driver.DeadLetter {
	r.t.Helper()
	ls, _, err := r.store.ListDead(ctx, driver.DeadFilter{}, nil, 100)
	if err != nil {
		r.t.Fatal(err)
	}
	return ls
}

func event(eventType string, n int) outbox.Event {
	return outbox.Event{Type: eventType, ID: fmt.Sprintf("%s-%05d", eventType, n), JSON: []byte(`{"n":1}`)}
}

func events(eventType string, n int) []outbox.Event {
	es := make([]outbox.Event, n)
	for i := range es {
		es[i] = event(eventType, i)
	}
	return es
}

var errBoom = errors.New("boom")

// settled waits long enough for outcomes to be written.
func settled() { pass(100 * time.Millisecond) }

// pass lets fake time go by, and everything in the bubble that is due in it.
func pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// within lets fake time go by until something is so, and at most so much: a day
// costs each loop of a relay 86,400 turns.
func within(d time.Duration, ok func() bool) {
	for end := time.Now().Add(d); !ok() && time.Now().Before(end); {
		pass(time.Minute)
	}
}
