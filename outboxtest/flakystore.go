package outboxtest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Fault is what goes wrong with one call.
type Fault int

// The faults.
const (
	// None: nothing goes wrong.
	None Fault = iota
	// Refuse: the call fails without being executed.
	Refuse
	// LoseAnswer: the call is executed and fails nevertheless.
	LoseAnswer
	// Hang: the call is not executed and returns when its context ends.
	Hang
	// Late: the call is executed at once, and the answer takes [Lateness].
	Late
)

// Lateness is how long a late answer takes.
const Lateness = time.Second

// Op is a method of a store.
type Op string

// The operations of a store.
const (
	OpClaim   Op = "claim"
	OpTake    Op = "take"
	OpRenew   Op = "renew"
	OpSettle  Op = "settle"
	OpConfirm Op = "confirm"
	OpLanes   Op = "lanes"
	OpSweep   Op = "sweep"
)

// FlakyStore is a store that fails on demand. It implements only
// [driver.Store].
type FlakyStore struct {
	store driver.Store

	mu    sync.Mutex
	plan  func(op Op, call int) Fault
	calls map[Op]int
}

// NewFlakyStore makes a store that works until Plan says otherwise.
func NewFlakyStore(store driver.Store) *FlakyStore {
	return &FlakyStore{store: store, calls: map[Op]int{}}
}

// Plan sets the function that decides about every call from now on; call counts
// from 1 for each operation. Nil: nothing goes wrong.
func (s *FlakyStore) Plan(plan func(op Op, call int) Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.plan = plan
	clear(s.calls)
}

// Calls returns the number of calls of an operation since the last Plan.
func (s *FlakyStore) Calls(op Op) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls[op]
}

func (s *FlakyStore) fault(op Op) Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls[op]++
	if s.plan == nil {
		return None
	}
	return s.plan(op, s.calls[op])
}

func flaky[T any](ctx context.Context, s *FlakyStore, op Op, f func() (T, error)) (T, error) {
	var zero T
	switch s.fault(op) {
	case Refuse:
		return zero, fmt.Errorf("%w: %s refused by the test", outbox.ErrStoreDown, op)
	case LoseAnswer:
		// A LockedError is part of the answer.
		if _, err := f(); err != nil && !errors.As(err, new(*driver.LockedError)) {
			return zero, err
		}
		return zero, fmt.Errorf("%w: answer to %s lost by the test", outbox.ErrStoreDown, op)
	case Hang:
		<-ctx.Done()
		return zero, fmt.Errorf("%w: %s hung: %w", outbox.ErrStoreDown, op, ctx.Err())
	case Late:
		got, err := f()
		timer := time.NewTimer(Lateness)
		defer timer.Stop()
		select {
		case <-timer.C:
			return got, err
		case <-ctx.Done():
			return zero, fmt.Errorf("%w: answer to %s not awaited: %w", outbox.ErrStoreDown, op, ctx.Err())
		}
	}
	return f()
}

// Claim implements [driver.Store].
func (s *FlakyStore) Claim(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
	return flaky(ctx, s, OpClaim, func() ([]driver.Claimed, error) { return s.store.Claim(ctx, req) })
}

// Take implements [driver.Store].
func (s *FlakyStore) Take(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Held) ([]driver.Held, error) {
	return flaky(ctx, s, OpTake, func() ([]driver.Held, error) { return s.store.Take(ctx, owner, lease, rows) })
}

// Renew implements [driver.Store].
func (s *FlakyStore) Renew(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Renewal) ([]driver.Held, error) {
	return flaky(ctx, s, OpRenew, func() ([]driver.Held, error) { return s.store.Renew(ctx, owner, lease, rows) })
}

// Settle implements [driver.Store].
func (s *FlakyStore) Settle(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keepDone bool) ([]driver.Held, error) {
	return flaky(ctx, s, OpSettle, func() ([]driver.Held, error) { return s.store.Settle(ctx, owner, outcomes, keepDone) })
}

// Confirm implements [driver.Store].
func (s *FlakyStore) Confirm(ctx context.Context, rows []driver.Held) ([]driver.Held, error) {
	return flaky(ctx, s, OpConfirm, func() ([]driver.Held, error) { return s.store.Confirm(ctx, rows) })
}

// Lanes implements [driver.Store].
func (s *FlakyStore) Lanes(ctx context.Context, after string, limit int) ([]driver.WaitingLane, error) {
	return flaky(ctx, s, OpLanes, func() ([]driver.WaitingLane, error) { return s.store.Lanes(ctx, after, limit) })
}

// Sweep implements [driver.Store].
func (s *FlakyStore) Sweep(ctx context.Context, age time.Duration, limit int) (int, error) {
	return flaky(ctx, s, OpSweep, func() (int, error) { return s.store.Sweep(ctx, age, limit) })
}
