package inbox_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/inbox"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/store/memstore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var errHandler = errors.New("the handler fails")

// rig is a consumer on a ledger in memory, with all that it tells.
type rig struct {
	*inbox.Consumer[*memstore.Tx]
	store *memstore.Store
	log   *logRecorder
	told  *counts
}

func newRig(t *testing.T, c inbox.Config) *rig {
	t.Helper()
	store := memstore.New(memstore.Config{})
	return newRigOn(t, store, store, c)
}

func newRigOn(t *testing.T, store *memstore.Store, ledger driver.Ledger[*memstore.Tx], c inbox.Config) *rig {
	t.Helper()
	r := &rig{store: store, log: &logRecorder{}, told: &counts{n: map[string]int{}}}
	if c.Group == "" {
		c.Group = "billing"
	}
	c.Logger, c.Hooks = slog.New(r.log), r.told.hooks()
	consumer, err := inbox.New(ledger, c)
	if err != nil {
		t.Fatal(err)
	}
	r.Consumer = consumer
	return r
}

// consume delivers ids and returns those that the handler got.
func (r *rig) consume(t *testing.T, end error, ids ...string) (ran []string) {
	t.Helper()
	err := r.ConsumeBatch(t.Context(), received(ids...), func(_ context.Context, tx *memstore.Tx, fresh []outbox.Received) error {
		for _, m := range fresh {
			ran = append(ran, m.EventID)
		}
		return end
	})
	if !errors.Is(err, end) {
		t.Fatalf("error %v, expected %v", err, end)
	}
	return ran
}

func received(ids ...string) []outbox.Received {
	ms := make([]outbox.Received, len(ids))
	for i, id := range ids {
		ms[i].EventID = id
	}
	return ms
}

// counts are what hooks were told.
type counts struct {
	mu sync.Mutex
	n  map[string]int
}

func (c *counts) hooks() observe.Hooks {
	count := func(name string) func(observe.ConsumeInfo) {
		return func(info observe.ConsumeInfo) {
			c.mu.Lock()
			defer c.mu.Unlock()
			if info.Group == "billing" {
				c.n[name] += info.N
			}
		}
	}
	return observe.Hooks{
		Consumed: count("consumed"), Duplicated: count("duplicated"), ConsumeFailed: count("failed"),
		Forgotten: count("cleaned"), CacheHit: count("hit"), CacheMiss: count("miss"),
		LoopError: func(observe.LoopErrorInfo) { count("loop")(observe.ConsumeInfo{Group: "billing", N: 1}) },
	}
}

// expect compares the counters, and starts them anew.
func (c *counts) expect(t *testing.T, want map[string]int) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, name := range []string{"consumed", "duplicated", "failed", "cleaned", "hit", "miss", "loop"} {
		if c.n[name] != want[name] {
			t.Errorf("%s: %d, expected %d", name, c.n[name], want[name])
		}
	}
	clear(c.n)
}

// logRecorder keeps messages.
type logRecorder struct {
	mu    sync.Mutex
	lines []string
}

func (l *logRecorder) Enabled(context.Context, slog.Level) bool { return true }
func (l *logRecorder) WithAttrs([]slog.Attr) slog.Handler       { return l }
func (l *logRecorder) WithGroup(string) slog.Handler            { return l }

func (l *logRecorder) Handle(_ context.Context, r slog.Record) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, r.Level.String()+" "+r.Message)
	return nil
}

func (l *logRecorder) take() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	lines := l.lines
	l.lines = nil
	return lines
}

// quiet is for consumers whose log is not looked at.
func quiet() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

// fakeCache is a cache whose faults a test places.
type fakeCache struct {
	mu      sync.Mutex
	entries map[string]time.Time
	calls   int
	err     error
	hang    bool
}

func newFakeCache() *fakeCache { return &fakeCache{entries: map[string]time.Time{}} }

func (c *fakeCache) enter(ctx context.Context) error {
	c.mu.Lock()
	c.calls++
	hang, err := c.hang, c.err
	c.mu.Unlock()
	if hang {
		<-ctx.Done()
		return ctx.Err()
	}
	return err
}

func (c *fakeCache) Has(ctx context.Context, group string, ids []string) ([]bool, error) {
	if err := c.enter(ctx); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	known := make([]bool, len(ids))
	for i, id := range ids {
		known[i] = time.Now().Before(c.entries[group+"/"+id])
	}
	return known, nil
}

func (c *fakeCache) Add(ctx context.Context, group string, ids []string, ttl time.Duration) error {
	if err := c.enter(ctx); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, id := range ids {
		c.entries[group+"/"+id] = time.Now().Add(ttl)
	}
	return nil
}

func (c *fakeCache) breakDown(err error, hang bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.err, c.hang = err, hang
}

// keys are what the cache knows, in order.
func (c *fakeCache) keys() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var keys []string
	for key := range c.entries {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
