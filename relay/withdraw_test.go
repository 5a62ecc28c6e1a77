package relay_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/memstore"
)

// unsettling cannot settle, and heeds the context of a withdrawal.
type unsettling struct {
	*memstore.Store
	down, withdrawn atomic.Bool
}

func (s *unsettling) Settle(ctx context.Context, o driver.Owner, outcomes []driver.Outcome, keep bool) ([]driver.Held, error) {
	if s.down.Load() {
		return nil, outbox.ErrStoreDown
	}
	return s.Store.Settle(ctx, o, outcomes, keep)
}

func (s *unsettling) Withdraw(ctx context.Context, o driver.Owner) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	s.withdrawn.Store(true)
	return s.Store.Withdraw(ctx, o)
}

// Waiting for outcomes must leave some of the drain timeout.
func TestAStopThatCannotSettleStillWithdrawsItsInstance(t *testing.T) {
	bubble(t, everySecond, recordA, func(ctx context.Context, r *rig) {
		s := &unsettling{Store: r.store}
		r.over(s, everySecond)
		r.run()
		s.down.Store(true)
		r.write(ctx, event("A", 1))
		pass(3 * time.Second)
		r.stop()
		if !s.withdrawn.Load() {
			t.Error("the stop left no time for it")
		}
	})
}
