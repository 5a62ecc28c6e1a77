package relaytest_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/testenv"
)

// Scenario 69.
func TestAProcessStoppedPastItsLeaseLeavesTheEventsOfAnotherAlone(t *testing.T) {
	t.Parallel() // it is time that passes
	url := testenv.Database(t, testenv.Postgres15)
	h := openDatabase(t, url, dburl.Options{})
	writeDB(t, h.Writer(), numbered("A", 0, 60)...)
	c := startChild(t, url, 30*time.Second) // the whole machine may stand still for less
	said := c.await(t, 0, "run "+held)
	c.await(t, said, "renewed") // and so in none of its statements for a while
	c.signal(t, syscall.SIGSTOP)

	seen, gate := newCounter(60), make(chan struct{})
	reg := outbox.NewRegistry()
	reg.Handle("A", func(ctx context.Context, e outbox.Event) error {
		_ = seen.Handle(ctx, e)
		if e.ID == held {
			<-gate
		}
		return nil
	})
	second, stop := runRelay(t, h, reg, fast)
	open := sync.OnceFunc(func() { close(gate) })
	t.Cleanup(open)
	seen.await(t)
	c.stdin("go on")
	c.signal(t, syscall.SIGCONT)
	c.await(t, said, "settled 1 stale 1")
	if owner, err := h.Text(t.Context(), "SELECT locked_by FROM outbox_event WHERE event_id = '"+held+"' AND status = 0"); err != nil || owner != string(second.Owner()) {
		t.Errorf("the event that both ran is held by %q (%v): the second has it still", owner, err)
	}
	open()
	stop()
	seen.wantOnce(t, 0)

	writeDB(t, h.Writer(), numbered("A", 60, 65)...) // it lives, and has missed nothing else
	c.await(t, said, "run A-000064")
	if code := c.end(t); code != 0 {
		t.Errorf("the child ended with %d", code)
	}
	if got := slices.Sorted(slices.Values(c.ran())); len(got) != 6 || got[0] != held || got[1] != "A-000060" {
		t.Errorf("the child ran %q: expected the one that it was stopped in and the five that came later", got)
	}
	if s, err := h.Store.Stats(t.Context()); err != nil || s.Done.N != 65 || s.Waiting.N+s.Held.N+s.Dead.N != 0 {
		t.Errorf("stats %+v, %v: expected 65 done", s, err)
	}
}

// Scenario 71.
func TestAnEventThatExitsTheProcessIsDeadAndAThousandAreDelivered(t *testing.T) {
	if testing.Short() {
		t.Skip("starts seven processes: run without -short")
	}
	const innocent = 1000
	url := testenv.Database(t, testenv.Postgres15)
	h := openDatabase(t, url, dburl.Options{})
	for i := 1; i <= innocent+1; i += 500 { // the first is the one that would be held
		writeDB(t, h.Writer(), numbered("A", i, min(i+500, innocent+2))...)
	}
	delivered := map[string]bool{}
	crashes := 0
	for {
		c := startChild(t, url, time.Hour)
		ended := c.awaitEnd(t, h, innocent)
		for _, id := range c.ran() {
			delivered[id] = true
		}
		if !ended {
			break
		}
		if crashes++; crashes > 20 {
			t.Fatal("the event goes on ending processes")
		}
		expire(t, h)
	}
	if crashes != 6 {
		t.Errorf("%d processes ended: expected three among others, and three alone", crashes)
	}
	if len(delivered) != innocent+1 {
		t.Errorf("%d of %d events ran", len(delivered), innocent+1)
	}
	ls, _, err := h.Store.ListDead(t.Context(), driver.DeadFilter{}, nil, 10)
	if err != nil || len(ls) != 1 || ls[0].EventID != poison || ls[0].Attempts != 3 || !strings.Contains(ls[0].Error, "crashes or stalls the process") {
		t.Errorf("dead letters %+v, %v", ls, err)
	}
}

// awaitEnd waits until the poison has ended the child, or all events are
// settled; then it ends the child itself and returns false.
func (c *child) awaitEnd(t *testing.T, h *dburl.Handle, done int64) bool {
	t.Helper()
	tick, deadline := time.NewTicker(50*time.Millisecond), time.After(patience)
	defer tick.Stop()
	for {
		select {
		case <-c.exited:
			if code := c.cmd.ProcessState.ExitCode(); code != poisoned {
				t.Fatalf("a child ended with %d", code)
			}
			return true
		case <-deadline:
			t.Fatal("neither does the child end nor its work")
		case <-tick.C:
		}
		if s, err := h.Store.Stats(t.Context()); err != nil {
			t.Fatal(err)
		} else if s.Done.N == done && s.Dead.N == 1 {
			if code := c.end(t); code != 0 {
				t.Errorf("the child ended with %d", code)
			}
			return false
		}
	}
}
