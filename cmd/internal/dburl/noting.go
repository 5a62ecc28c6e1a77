package dburl

import (
	"context"
	"sync"

	"github.com/sendoff-go/outbox"
)

// noting is a store that tells what was committed the moment its answer is there,
// before the relay hears of it.
type noting[T any] struct {
	outbox.TxStore[T]
	committed func([]outbox.Event)

	mu      sync.Mutex
	written map[any][]outbox.Event // by transaction
}

// Insert implements [outbox.TxStore].
func (s *noting[T]) Insert(ctx context.Context, tx T, req outbox.InsertRequest) ([]outbox.Inserted, error) {
	answers, err := s.TxStore.Insert(ctx, tx, req)
	if err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.written[tx] = append(s.written[tx], req.Events...)
	}
	return answers, err
}

// Begin implements [outbox.TxStore].
func (s *noting[T]) Begin(ctx context.Context) (tx T, commit, rollback func() error, err error) {
	tx, commitTx, rollbackTx, err := s.TxStore.Begin(ctx)
	if err != nil {
		return tx, nil, nil, err
	}
	commit = func() error {
		err := commitTx()
		if es := s.take(tx); err == nil {
			s.committed(es)
		}
		return err
	}
	rollback = func() error {
		s.take(tx)
		return rollbackTx()
	}
	return tx, commit, rollback, nil
}

func (s *noting[T]) take(tx T) []outbox.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	es := s.written[tx]
	delete(s.written, tx)
	return es
}
