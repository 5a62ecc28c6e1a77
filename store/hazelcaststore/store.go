package hazelcaststore

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hazelcast/hazelcast-go-client"
	"github.com/hazelcast/hazelcast-go-client/types"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Store keeps events in maps of a cluster. It is safe for concurrent use.
type Store struct {
	client *hazelcast.Client
	cfg    Config
	clock  *clock
	heads  heads

	mu     sync.Mutex
	maps   *tables // nil until the first call, and after one that failed
	mended atomic.Int64
}

var (
	_ driver.Store           = (*Store)(nil)
	_ outbox.TxStore[*Tx]    = (*Store)(nil)
	_ driver.DeadLetterStore = (*Store)(nil)
)

// New makes a store on the caller's client, which it never shuts down. It calls
// nothing: maps and indexes are made by the first call that reaches the cluster.
func New(client *hazelcast.Client, cfg Config) (*Store, error) {
	cfg = cfg.withDefaults()
	if err := cfg.validate(client); err != nil {
		return nil, err
	}
	return &Store{client: client, cfg: cfg, clock: newClock(flakeTime(client, cfg.Name)), heads: heads{known: map[string]head{}}}, nil
}

// tables are those of one store.
type tables struct {
	events  *table
	letters *table
	txs     *table
}

// open returns the maps, and makes their indexes where they are missing: a
// cluster that was restarted has forgotten them with its data.
func (s *Store) open(ctx context.Context) (*tables, error) {
	s.mu.Lock()
	m := s.maps
	s.mu.Unlock()
	if m != nil {
		return m, s.clock.adjust(ctx)
	}
	m = &tables{}
	for _, t := range []struct {
		to      **table
		suffix  string
		indexes [][]string
	}{
		{&m.events, "", [][]string{{"lane", "due"}, {"done"}, {"mend"}}},
		{&m.letters, "-dead", [][]string{{"eventId"}, {"died"}, {"resolved"}}},
		{&m.txs, "-tx", nil},
	} {
		opened, err := s.table(ctx, s.cfg.Name+t.suffix, t.indexes)
		if err != nil {
			return nil, err
		}
		*t.to = opened
	}
	if err := s.clock.adjust(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.maps = m
	s.mu.Unlock()
	return m, nil
}

func (s *Store) table(ctx context.Context, name string, indexes [][]string) (*table, error) {
	m, err := s.client.GetMap(ctx, name)
	if err != nil {
		return nil, err
	}
	for _, attributes := range indexes {
		if err := m.AddIndex(ctx, types.IndexConfig{Type: types.IndexTypeSorted, Attributes: attributes}); err != nil {
			return nil, fmt.Errorf("index on %v of map %s: %w", attributes, name, err)
		}
	}
	return &table{m}, nil
}

// forget has the next call look at the indexes again.
func (s *Store) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.maps = nil
}

// call runs f within the time limit.
func (s *Store) call(ctx context.Context, f func(ctx context.Context, m *tables) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, s.cfg.CallTimeout)
	defer cancel()
	m, err := s.open(limited)
	if err == nil {
		err = f(limited, m)
	}
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	err = classify(err)
	if down(err) {
		s.forget()
	}
	return err
}

// afterwards is for calls that end something, whatever became of the context.
func (s *Store) afterwards(f func(ctx context.Context, m *tables) error) error {
	return s.call(context.Background(), f)
}

func micros(d time.Duration) int64 { return d.Microseconds() }

func fromMicros(t int64) time.Time { return time.UnixMicro(t).UTC() }
