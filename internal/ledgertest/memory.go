package ledgertest

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/inboxtest"
	"github.com/sendoff-go/outbox/store/memstore"
)

// Memory is the reference, and the oracle of the others.
func Memory(testing.TB) inboxtest.Subject[*memstore.Tx] {
	s := memstore.New(memstore.Config{})
	e := &effects{store: s, made: map[string][]string{}}
	return inboxtest.Subject[*memstore.Tx]{
		Ledger:     s,
		Effect:     e.make,
		Effects:    e.count,
		Savepoint:  func(_ context.Context, tx *memstore.Tx, name string) error { return tx.Savepoint(name) },
		RollbackTo: func(_ context.Context, tx *memstore.Tx, name string) error { return tx.RollbackTo(name) },
		Age:        s.AgeConsumed,
		Down: func(testing.TB) driver.Ledger[*memstore.Tx] {
			down := memstore.New(memstore.Config{})
			down.Close()
			return down
		},
	}
}

// effects stores each effect under its own name, and counts them.
type effects struct {
	store *memstore.Store
	mu    sync.Mutex
	made  map[string][]string // by group
}

func (e *effects) make(_ context.Context, tx *memstore.Tx, group, id string) error {
	e.mu.Lock()
	name := fmt.Sprintf("%s/%d", group, len(e.made[group]))
	e.made[group] = append(e.made[group], id)
	e.mu.Unlock()
	return tx.Put(name, "1")
}

func (e *effects) count(ctx context.Context, group string) (map[string]int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	counts := map[string]int{}
	for i, id := range e.made[group] {
		_, found, err := e.store.Get(ctx, fmt.Sprintf("%s/%d", group, i))
		if err != nil {
			return nil, err
		}
		if found {
			counts[id]++
		}
	}
	return counts, nil
}
