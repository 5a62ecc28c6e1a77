package relaytest_test

import (
	"context"
	"syscall"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/internal/testenv"
)

// Scenario 65: the transaction wrote while a relay ran in another process, and
// commits when that one is dead.
func TestATransactionThatOutlivesTheProcessOfItsRelayIsDelivered(t *testing.T) {
	url := testenv.Database(t, testenv.Postgres15)
	h := openDatabase(t, url, dburl.Options{})
	first := startChild(t, url, time.Hour)
	writeDB(t, h.Writer(), numbered("A", 1, 2)...)
	first.await(t, 0, "settled 1")
	err := h.Writer().InTx(t.Context(), func(ctx context.Context, tx dburl.Tx) error {
		if err := tx.Write(ctx, numbered("A", 10, 30)...); err != nil {
			return err
		}
		writeDB(t, h.Writer(), numbered("A", 2, 3)...) // committed before, with later seqs: the relay has read past the open ones
		first.await(t, 0, "run A-000002")
		first.signal(t, syscall.SIGKILL)
		<-first.exited
		expire(t, h)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := first.ran(); len(got) != 2 {
		t.Errorf("the first process ran %q: nothing else was committed", got)
	}
	second := startChild(t, url, time.Hour)
	awaitDone(t, h, 22)
	if code := second.end(t); code != 0 { // after which all that it said is there
		t.Errorf("the child ended with %d", code)
	}
	n := map[string]int{}
	for _, id := range second.ran() {
		n[id]++
	}
	for _, e := range numbered("A", 10, 30) {
		if n[e.ID] != 1 {
			t.Errorf("%s ran %d times in the process that came after", e.ID, n[e.ID])
		}
	}
}

// Scenario 65: the relay that stops is the one that the writer tells, and for
// which the rows are kept for their head start.
func TestATransactionThatOutlivesItsRelayIsDeliveredByAnother(t *testing.T) {
	onDatabases(t, func(t *testing.T, h *dburl.Handle) {
		c := newCounter(20)
		reg := outbox.NewRegistry()
		reg.Handle("A", c.Handle)
		cfg := fast
		cfg.HeadStart = time.Second
		cfg.DrainTimeout = 5 * time.Second // on SQLite it waits for the transaction in vain
		gone, stop := runRelay(t, h, reg, cfg)
		err := h.Writer(gone.HotPath(), outbox.WithLogger(quietLog())).InTx(t.Context(), func(ctx context.Context, tx dburl.Tx) error {
			err := tx.Write(ctx, numbered("A", 0, 20)...)
			stop()
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		runRelay(t, h, reg, cfg)
		c.await(t)
		awaitDone(t, h, 20)
		c.wantOnce(t, 0)
	})
}
