package relay_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/dburl"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/memstore"
)

// The names are in no order that a store or a map could give by chance.
var lifeOfAnOrder = []string{"OrderPlaced", "OrderPaid", "OrderShipped", "OrderCancelled"}

// lives are orders, each with an event of every type, in turns.
func lives(orders int) (es []outbox.Event) {
	for _, typ := range lifeOfAnOrder {
		for i := range orders {
			id := fmt.Sprintf("o-%03d", i)
			es = append(es, outbox.Event{Type: typ, ID: typ + id, AggregateType: "Order", AggregateID: id, JSON: []byte(`{}`)})
		}
	}
	return es
}

// journal notes the types of each order's events, as they are delivered.
type journal struct {
	mu   sync.Mutex
	of   map[string][]string
	left int
	all  chan struct{}
}

func newJournal(reg *outbox.Registry, orders int) *journal {
	j := &journal{of: map[string][]string{}, left: orders * len(lifeOfAnOrder), all: make(chan struct{})}
	for _, typ := range lifeOfAnOrder {
		reg.Handle(typ, func(_ context.Context, e outbox.Event) error {
			j.mu.Lock()
			defer j.mu.Unlock()
			j.of[e.AggregateID] = append(j.of[e.AggregateID], e.Type)
			if j.left--; j.left == 0 {
				close(j.all)
			}
			return nil
		})
	}
	return j
}

func (j *journal) check(t *testing.T, orders int) {
	t.Helper()
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.of) != orders {
		t.Errorf("%d orders were seen, expected %d", len(j.of), orders)
	}
	for id, got := range j.of {
		if !slices.Equal(got, lifeOfAnOrder) {
			t.Fatalf("order %s: %v, expected the order of writing", id, got)
		}
	}
}

func TestTypesOfOneAggregateRunInTheOrderOfWriting(t *testing.T) {
	const orders = 10 // few enough for the first claim, which names all lanes
	cfg := fast
	cfg.Lane.Interval = time.Hour
	t.Run("memory", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			store, reg := memstore.New(memstore.Config{}), outbox.NewRegistry()
			j := newJournal(reg, orders)
			w := outbox.NewWriter(store)
			err := w.InTx(t.Context(), func(ctx context.Context, tx *memstore.Tx) error {
				_, err := w.WriteAll(ctx, tx, lives(orders)...)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			cfg.Logger = quietLog()
			r, err := relay.New(store, reg, cfg)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := r.RunOnce(t.Context()); err != nil {
				t.Fatal(err)
			}
			j.check(t, orders)
		})
	})
	onDatabases(t, func(t *testing.T, h *dburl.Handle) {
		reg := outbox.NewRegistry()
		j := newJournal(reg, orders)
		writeDB(t, h.Writer(), lives(orders)...)
		_, stop := runRelay(t, h, reg, cfg)
		select {
		case <-j.all:
		case <-time.After(time.Minute):
		}
		stop()
		j.check(t, orders)
	})
}
