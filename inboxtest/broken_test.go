package inboxtest

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/memstore"
)

// broken is a memstore with some of its methods replaced.
type broken struct {
	*memstore.Store
	begin  func(ctx context.Context) (*memstore.Tx, func() error, func() error, error)
	record func(ctx context.Context, tx *memstore.Tx, group string, ids []string) ([]bool, error)
	known  func(ctx context.Context, group string, ids []string) ([]bool, error)
	forget func(ctx context.Context, group string, age time.Duration, limit int) (int, error)
}

func (b *broken) Begin(ctx context.Context) (*memstore.Tx, func() error, func() error, error) {
	if b.begin != nil {
		return b.begin(ctx)
	}
	return b.Store.Begin(ctx)
}

func (b *broken) Record(ctx context.Context, tx *memstore.Tx, group string, ids []string) ([]bool, error) {
	if b.record != nil {
		return b.record(ctx, tx, group, ids)
	}
	return b.Store.Record(ctx, tx, group, ids)
}

func (b *broken) Known(ctx context.Context, group string, ids []string) ([]bool, error) {
	if b.known != nil {
		return b.known(ctx, group, ids)
	}
	return b.Store.Known(ctx, group, ids)
}

func (b *broken) Forget(ctx context.Context, group string, age time.Duration, limit int) (int, error) {
	if b.forget != nil {
		return b.forget(ctx, group, age, limit)
	}
	return b.Store.Forget(ctx, group, age, limit)
}

// openBroken opens memstores with a defect; nil for none.
func openBroken(defect func(b *broken)) Open[*memstore.Tx] {
	return func(t testing.TB) Subject[*memstore.Tx] {
		b := &broken{Store: memstore.New(memstore.Config{})}
		t.Cleanup(b.Close) // ends what still waits
		if defect != nil {
			defect(b)
		}
		var mu sync.Mutex
		made := map[string][]string{}
		return Subject[*memstore.Tx]{
			Ledger: b,
			Effect: func(_ context.Context, tx *memstore.Tx, group, id string) error {
				mu.Lock()
				name := fmt.Sprintf("%s/%d", group, len(made[group]))
				made[group] = append(made[group], id)
				mu.Unlock()
				return tx.Put(name, "1")
			},
			Effects: func(ctx context.Context, group string) (map[string]int, error) {
				mu.Lock()
				defer mu.Unlock()
				counts := map[string]int{}
				for i, id := range made[group] {
					if _, found, err := b.Get(ctx, fmt.Sprintf("%s/%d", group, i)); err != nil {
						return nil, err
					} else if found {
						counts[id]++
					}
				}
				return counts, nil
			},
			Savepoint:  func(_ context.Context, tx *memstore.Tx, name string) error { return tx.Savepoint(name) },
			RollbackTo: func(_ context.Context, tx *memstore.Tx, name string) error { return tx.RollbackTo(name) },
			Age:        b.AgeConsumed,
			Down: func(testing.TB) driver.Ledger[*memstore.Tx] {
				down := &broken{Store: memstore.New(memstore.Config{})}
				down.Close()
				if defect != nil {
					defect(down)
				}
				return down
			},
		}
	}
}
