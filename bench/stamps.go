package main

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"github.com/sendoff-go/outbox"
)

// stamps note for each event when the answer to its COMMIT came and when the
// listener first had it, by the wall clock, which processes of one machine
// share.
type stamps struct{ committed, arrived []atomic.Int64 }

func newStamps(n int) *stamps {
	return &stamps{committed: make([]atomic.Int64, n), arrived: make([]atomic.Int64, n)}
}

func (s *stamps) commit(n int) { s.committed[n].Store(time.Now().UnixNano()) }

func (s *stamps) arrive(n int) {
	if n >= 0 && n < len(s.arrived) {
		s.arrived[n].CompareAndSwap(0, time.Now().UnixNano())
	}
}

// latencies adds the quantiles of what lies between. An event that came before
// its writer had the answer took no time.
func (s *stamps) latencies(to *sample) {
	var ds []time.Duration
	for i := range s.committed {
		from, until := s.committed[i].Load(), s.arrived[i].Load()
		if from > 0 && until > 0 {
			ds = append(ds, max(time.Duration(until-from), 0))
		}
	}
	if len(ds) == 0 {
		return
	}
	slices.Sort(ds)
	to.Values[p50], to.Values[p99], to.Values[longest] = quantile(ds, 0.5), quantile(ds, 0.99), quantile(ds, 1)
}

// numberKey is the event's number in the context of its transaction: the place
// where commits are seen knows only that.
type numberKey struct{}

func withNumber(ctx context.Context, n int) context.Context {
	return context.WithValue(ctx, numberKey{}, n)
}

func (s *stamps) commitOf(ctx context.Context) {
	if n, ok := ctx.Value(numberKey{}).(int); ok {
		s.commit(n)
	}
}

// stamping is a store whose commits are noted the moment they are answered,
// before anybody is told.
type stamping[Tx any] struct {
	outbox.TxStore[Tx]
	stamps *stamps
}

// Begin implements [outbox.TxStore].
func (s stamping[Tx]) Begin(ctx context.Context) (tx Tx, commit, rollback func() error, err error) {
	tx, inner, rollback, err := s.TxStore.Begin(ctx)
	commit = func() error {
		err := inner()
		if err == nil {
			s.stamps.commitOf(ctx)
		}
		return err
	}
	return tx, commit, rollback, err
}
