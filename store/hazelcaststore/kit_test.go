package hazelcaststore

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hazelcast/hazelcast-go-client"
	"github.com/hazelcast/hazelcast-go-client/logger"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/hazelrig"
)

func TestMain(m *testing.M) {
	hazelrig.Main(tests{m})
}

type tests struct{ *testing.M }

// Run ends the clients before goleak looks.
func (m tests) Run() int {
	code := m.M.Run()
	for _, c := range shared.clients {
		if c != nil {
			end(c)
		}
	}
	return code
}

// end shuts a client down, or gives up: see [hazelrig.Main].
func end(c *hazelcast.Client) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_ = c.Shutdown(ctx)
}

// shared are clients of the member that all tests are given: a client takes a
// moment to start.
var shared struct {
	sync.Mutex
	clients [3]*hazelcast.Client
	next    atomic.Int64
}

// connect returns one of the shared clients after the other.
func connect(t testing.TB) *hazelcast.Client {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	i := shared.next.Add(1) % int64(len(shared.clients))
	if shared.clients[i] == nil {
		shared.clients[i] = start(t, clientConfig(hazelrig.Address(t)))
	}
	return shared.clients[i]
}

func clientConfig(addresses ...string) hazelcast.Config {
	var c hazelcast.Config
	c.Cluster.Name = hazelrig.ClusterName
	c.Cluster.Network.Addresses = addresses
	c.Logger.Level = logger.OffLevel
	return c
}

func start(t testing.TB, c hazelcast.Config) *hazelcast.Client {
	t.Helper()
	client, err := hazelcast.StartNewClientWithConfig(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// newName is that of maps that no other test has.
func newName() string { return "outbox-" + outbox.NewID() }

func newStore(t testing.TB, client *hazelcast.Client, cfg Config) *Store {
	t.Helper()
	s, err := New(client, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// unhurried is a CallTimeout for calls that must succeed: longer than a busy machine
// stands still, and less than half of the minute after which a test expects another
// process to go on.
const unhurried = 25 * time.Second

// fresh is a store whose maps are gone after the test.
func fresh(t testing.TB, cfg Config) *Store {
	t.Helper()
	cfg.Name = newName()
	cfg.CallTimeout = cmp.Or(cfg.CallTimeout, unhurried)
	s := newStore(t, connect(t), cfg)
	t.Cleanup(func() {
		err := s.call(context.Background(), func(ctx context.Context, m *tables) error {
			for _, table := range []*table{m.events, m.letters, m.txs} {
				if err := table.m.Destroy(ctx); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Errorf("destroy the maps: %v", err)
		}
	})
	return s
}

// expire ends leases and head starts, as if their time had passed.
func (s *Store) expire(ctx context.Context, ids ...string) error {
	return s.call(ctx, func(ctx context.Context, m *tables) error {
		for _, id := range ids {
			for {
				raw, err := m.events.get(ctx, id)
				if err != nil {
					return err
				}
				if raw == nil {
					break
				}
				r, err := parseRow(raw)
				if err != nil {
					return err
				}
				if r.Status != statusPending || r.Until == 0 {
					break
				}
				next := r.entry
				next.Until = 1
				if ok, err := s.replace(ctx, m.events, r, next); ok || err != nil {
					if err != nil {
						return fmt.Errorf("expire %s: %w", id, err)
					}
					break
				}
			}
		}
		return nil
	})
}

// spoil replaces texts in an entry, as another program might.
func spoil(t testing.TB, s *Store, id string, oldnew ...string) {
	t.Helper()
	inMaps(t, s, func(ctx context.Context, m *tables) error {
		raw, err := m.events.get(ctx, id)
		if err != nil {
			return err
		}
		spoiled := strings.NewReplacer(oldnew...).Replace(string(raw))
		if ok, err := m.events.replace(ctx, id, raw, []byte(spoiled)); !ok || err != nil || spoiled == string(raw) {
			return fmt.Errorf("%s is now %s (replaced: %t): %w", raw, spoiled, ok, err)
		}
		return nil
	})
}
