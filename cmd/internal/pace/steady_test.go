package pace

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// calls notes when each call began.
type calls struct {
	mu    sync.Mutex
	start time.Time
	at    map[int]time.Duration
}

func newCalls() *calls { return &calls{start: time.Now(), at: map[int]time.Duration{}} }

func (c *calls) begin(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at[n] = time.Since(c.start)
}

func TestCallsComeByTheTimetable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCalls()
		begun := Steady(t.Context(), 10, 20, 1, func(_ context.Context, n int) { c.begin(n) })
		if begun != 20 || len(c.at) != 20 {
			t.Fatalf("begun %d, seen %d, want 20", begun, len(c.at))
		}
		for n, at := range c.at {
			if want := time.Duration(n) * 100 * time.Millisecond; at != want {
				t.Errorf("call %d came after %s, want %s", n, at, want)
			}
		}
	})
}

func TestASlowCallDelaysNoOtherWhileAHandIsFree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCalls()
		Steady(t.Context(), 10, 5, 2, func(_ context.Context, n int) {
			c.begin(n)
			if n == 0 {
				<-time.After(350 * time.Millisecond)
			}
		})
		for n, at := range c.at {
			if want := time.Duration(n) * 100 * time.Millisecond; at != want {
				t.Errorf("call %d came after %s, want %s", n, at, want)
			}
		}
	})
}

func TestALongStallIsNotCaughtUpWithInARush(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCalls()
		Steady(t.Context(), 10, 4, 1, func(_ context.Context, n int) {
			c.begin(n)
			if n == 0 {
				<-time.After(5 * time.Second)
			}
		})
		if gap := c.at[3] - c.at[2]; gap != 100*time.Millisecond {
			t.Errorf("after the stall two calls were %s apart, want 100ms", gap)
		}
	})
}

func TestTheEndOfTheContextEndsTheTimetableAndNotTheCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 250*time.Millisecond)
		defer cancel()
		ended := 0
		begun := Steady(ctx, 10, 0, 1, func(ctx context.Context, _ int) {
			<-time.After(90 * time.Millisecond)
			if ctx.Err() != nil {
				t.Error("a call that was begun is cut off")
			}
			ended++
		})
		if begun != 3 || ended != 3 {
			t.Errorf("begun %d, ended %d, want 3", begun, ended)
		}
	})
}
