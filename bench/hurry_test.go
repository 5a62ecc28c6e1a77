package main

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func TestHurriedWritersStopWhenTheTimeIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := newLedger(100)
		n, took, err := hurry(t.Context(), 3, time.Second, func(_ context.Context, n int) error {
			calls.got(n)
			<-time.After(300 * time.Millisecond)
			return nil
		})
		if err != nil || n != 12 || took != 1200*time.Millisecond {
			t.Errorf("%d calls in %s, error %v, want 12 in 1.2s", n, took, err)
		}
		if lost, doubled := calls.audit(n); lost != 0 || doubled != 0 {
			t.Errorf("lost %d, doubled %d", lost, doubled)
		}
	})
}
