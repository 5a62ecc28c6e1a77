package main

import (
	"context"
	"errors"
	"testing"
)

func TestHandsDoEveryThingOnce(t *testing.T) {
	done := newLedger(1003)
	_, err := inHands(t.Context(), 4, 1003, 100, func(_ context.Context, _, from, to int) error {
		for i := from; i < to; i++ {
			done.got(i)
		}
		return nil
	})
	if lost, doubled := done.audit(1003); err != nil || lost != 0 || doubled != 0 {
		t.Errorf("lost %d, doubled %d, error %v", lost, doubled, err)
	}
}

func TestHandsEndAtTheFirstError(t *testing.T) {
	broken := errors.New("broken")
	calls := 0
	_, err := inHands(t.Context(), 1, 1000, 10, func(context.Context, int, int, int) error {
		calls++
		return broken
	})
	if !errors.Is(err, broken) || calls != 1 {
		t.Errorf("error %v after %d calls, want it after the first", err, calls)
	}
}
