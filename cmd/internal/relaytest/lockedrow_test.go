package relaytest_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
)

// lockRow keeps a row locked until release is called.
func lockRow(t *testing.T, h *dburl.Handle, id string) (release func()) {
	t.Helper()
	locked, gate, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- h.Writer().InTx(context.WithoutCancel(t.Context()), func(ctx context.Context, tx dburl.Tx) error {
			if err := tx.Exec(ctx, "SELECT seq FROM outbox_event WHERE event_id = ? FOR UPDATE", id); err != nil {
				return err
			}
			close(locked)
			<-gate
			return nil
		})
	}()
	release = sync.OnceFunc(func() {
		close(gate)
		if err := <-ended; err != nil {
			t.Errorf("the transaction with the lock: %v", err)
		}
	})
	select {
	case <-locked:
	case err := <-ended:
		t.Fatalf("the row cannot be locked: %v", err)
	}
	t.Cleanup(release)
	return release
}

// awaitDone waits until that many events are delivered and settled.
func awaitDone(t *testing.T, h *dburl.Handle, n int64) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		s, err := h.Store.Stats(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if s.Done.N == n {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("%d events are done after %s, expected %d: waiting %d, held %d", s.Done.N, patience, n, s.Waiting.N, s.Held.N)
		}
	}
}

func TestARowThatAnotherSessionHasLockedHoldsUpNoOther(t *testing.T) {
	onDatabases(t, func(t *testing.T, h *dburl.Handle) {
		if strings.HasPrefix(h.Name(t.Context()), "SQLite") {
			return // it locks no rows
		}
		const first, later = 4, 200
		locked := numbered("A", 0, first)[first-2].ID
		c, started, gate := newCounter(first+later), make(chan struct{}, first), make(chan struct{})
		reg := outbox.NewRegistry()
		reg.Handle("A", func(ctx context.Context, e outbox.Event) error {
			started <- struct{}{}
			<-gate // so that all are settled together
			return c.Handle(ctx, e)
		})
		reg.Handle("B", c.Handle)
		open := sync.OnceFunc(func() { close(gate) })
		writeDB(t, h.Writer(), numbered("A", 0, first)...)
		cfg := fast
		cfg.Lane.Workers = first
		r, stop := runRelay(t, h, reg, cfg)
		t.Cleanup(open)
		for range first {
			<-started
		}
		release := lockRow(t, h, locked)
		open()
		for i := 0; i < later; i += 50 {
			writeDB(t, h.Writer([]outbox.WriterOption{outbox.WithCommitHook(nil), r.HotPath()}[i/50%2]), numbered("B", i, i+50)...)
		}
		awaitDone(t, h, first+later-1)
		if status, err := h.Text(t.Context(), fmt.Sprintf("SELECT status FROM outbox_event WHERE event_id = '%s'", locked)); err != nil || status != "0" {
			t.Errorf("the row that is locked has the status %s (%v)", status, err)
		}
		release()
		awaitDone(t, h, first+later)
		stop()
		c.wantOnce(t, 0)
	})
}

// outlived is a lease that has to be renewed for longer than it lasts. It is
// long enough for a machine that stands still in between. MySQL cannot wait for
// a lock for less than a second, nor the relay for more than a tenth of this.
const outlived = 40 * time.Second

// A second relay would run again what the first one cannot renew.
func TestARowLockedByAnotherSessionDoesNotStopTheRenewalOfOthers(t *testing.T) {
	if testing.Short() {
		t.Skip("outlives a lease on every database: run without -short")
	}
	t.Parallel() // it is time that passes
	all := map[string]*amongRunning{}
	for _, d := range databases {
		h := openDatabase(t, d.url(t), d.with)
		if !strings.HasPrefix(h.Name(t.Context()), "SQLite") { // it locks no rows
			all[d.name] = lockAmongRunning(t, h, h)
		}
	}
	<-time.After(outlived * 5 / 4)
	for name, l := range all {
		t.Run(name, func(t *testing.T) {
			l.seen.wantOnce(t, 0)
			l.release()
			l.open()
			awaitDone(t, l.free, l.n)
			l.seen.wantOnce(t, 1) // the one that was locked, if its lease was over
		})
	}
}

// amongRunning is one of some rows that run, locked by another session.
type amongRunning struct {
	n       int64
	free    *dburl.Handle
	seen    *counter
	release func() // the row
	open    func() // lets the runs end
}

// lockAmongRunning locks one of thirty rows that run until they are let go,
// while a second relay runs.
func lockAmongRunning(t *testing.T, h, free *dburl.Handle) *amongRunning {
	t.Helper()
	const n = 30
	c, gate := newCounter(n), make(chan struct{})
	l := &amongRunning{n: n, free: free, seen: c, open: sync.OnceFunc(func() { close(gate) })}
	reg := outbox.NewRegistry()
	reg.Handle("A", func(ctx context.Context, e outbox.Event) error {
		_ = c.Handle(ctx, e) // at the start
		<-gate
		return nil
	})
	writeDB(t, free.Writer(), numbered("A", 0, n)...)
	cfg := fast
	cfg.Lease = outlived
	cfg.Lane.Workers = n
	runRelay(t, h, reg, cfg)
	t.Cleanup(l.open)
	c.await(t)
	l.release = lockRow(t, free, numbered("A", 0, n)[n/2].ID)
	runRelay(t, h, reg, cfg)
	t.Cleanup(l.open)
	return l
}
