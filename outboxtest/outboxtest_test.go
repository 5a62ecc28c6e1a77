package outboxtest_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/outboxtest"
	"github.com/sendoff-go/outbox/store/memstore"
)

var errBoom = errors.New("boom")

func write(t *testing.T, w *outbox.Writer[*memstore.Tx], end error, es ...outbox.Event) {
	t.Helper()
	err := w.InTx(t.Context(), func(ctx context.Context, tx *memstore.Tx) error {
		if _, err := w.WriteAll(ctx, tx, es...); err != nil {
			return err
		}
		return end
	})
	if !errors.Is(err, end) {
		t.Fatal(err)
	}
}

func TestARecorderTellsWrittenCommittedAndRolledBackApart(t *testing.T) {
	rec := &outboxtest.Recorder{}
	w := outbox.NewWriter(memstore.New(memstore.Config{}), outbox.WithWriteHooks(rec.WriteHook()))
	write(t, w, nil, outbox.Event{Type: "A", JSON: []byte("1")})
	write(t, w, errBoom, outbox.Event{Type: "B", JSON: []byte("2")})
	if e := rec.MustCommit(t, "A"); string(e.JSON) != "1" {
		t.Errorf("committed %+v", e)
	}
	rec.MustWrite(t, "B")
	rec.NoWrite(t, "C")
	if len(rec.Written()) != 2 || len(rec.Committed()) != 1 || len(rec.RolledBack()) != 1 {
		t.Errorf("written %d, committed %d, rolled back %d", len(rec.Written()), len(rec.Committed()), len(rec.RolledBack()))
	}
	rec.Reset()
	fake := &failing{TB: t}
	rec.NoWrite(fake, "A")
	func() {
		defer func() { _ = recover() }()
		rec.MustCommit(fake, "A")
	}()
	if fake.failed != 1 {
		t.Errorf("%d failures reported for a recorder that saw nothing, want 1", fake.failed)
	}
}

// failing counts what a test would have failed by.
type failing struct {
	testing.TB
	failed int
}

func (f *failing) Helper()               {}
func (f *failing) Errorf(string, ...any) { f.failed++ }
func (f *failing) Fatalf(string, ...any) { f.failed++; panic("fatal") }

func TestDeliverHandsOverOnceAndSettles(t *testing.T) {
	clock := &outboxtest.Clock{}
	s := memstore.New(memstore.Config{Now: clock.Now})
	w := outbox.NewWriter(s)
	rec := &outboxtest.Recorder{}
	reg := outbox.NewRegistry()
	reg.Handle("good", rec.Handle)
	reg.Handle("bad", func(context.Context, outbox.Event) error { return errBoom })
	reg.Handle("hopeless", func(context.Context, outbox.Event) error { return outbox.Permanent(errBoom) })
	later := outbox.Event{Type: "good", JSON: []byte("2")}
	later.DeliverAfter = time.Hour
	write(t, w, nil, outbox.Event{Type: "good", JSON: []byte("1")}, later, outbox.Event{Type: "bad", JSON: []byte("1")}, outbox.Event{Type: "hopeless", JSON: []byte("1")}, outbox.Event{Type: "unknown", JSON: []byte("1")})
	for call, want := range []int{3, 1} { // the bad one comes again
		results, err := outboxtest.Deliver(t.Context(), s, reg)
		if err != nil || len(results) != want {
			t.Fatalf("call %d: %d results, %v", call, len(results), err)
		}
	}
	clock.Advance(2 * time.Hour)
	if _, err := outboxtest.Deliver(t.Context(), s, reg); err != nil {
		t.Fatal(err)
	}
	stats, err := s.Stats(t.Context())
	if err != nil || len(rec.Received()) != 2 || stats.Done.N != 2 || stats.Dead.N != 1 || stats.Waiting.N != 2 {
		t.Errorf("received %d, stats %+v, %v", len(rec.Received()), stats, err)
	}
}

func TestAFlakyStoreFailsAsItIsTold(t *testing.T) {
	s := memstore.New(memstore.Config{})
	write(t, outbox.NewWriter(s), nil, outbox.Event{Type: "A", JSON: []byte("1")})
	f := outboxtest.NewFlakyStore(s)
	req := driver.ClaimRequest{Owner: "o", Lease: time.Hour, Wants: []driver.Want{{Lane: "A", Rows: 1}}}
	faults := []outboxtest.Fault{outboxtest.Refuse, outboxtest.Hang, outboxtest.LoseAnswer, outboxtest.None}
	f.Plan(func(_ outboxtest.Op, call int) outboxtest.Fault { return faults[call-1] })
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	for i := range 3 {
		if _, err := f.Claim(ctx, req); !errors.Is(err, outbox.ErrStoreDown) {
			t.Errorf("call %d: %v", i+1, err)
		}
		if i == 1 {
			ctx = t.Context()
		}
	}
	if rows, err := f.Claim(ctx, req); err != nil || len(rows) != 0 || f.Calls(outboxtest.OpClaim) != 4 {
		t.Errorf("claimed %d, %v: the claim whose answer was lost had been carried out", len(rows), err)
	}
}

func TestAFlakySinkFailsAsItIsTold(t *testing.T) {
	s := &outboxtest.FlakySink{}
	batch := []outbox.Message{{Event: outbox.Event{Type: "A", JSON: []byte("1")}}}
	s.SetDown(true)
	if errs := s.Send(t.Context(), batch); !outbox.IsUnavailable(errs[0]) || s.Check(t.Context()) == nil {
		t.Errorf("down: %v", errs)
	}
	s.SetDown(false)
	s.SetHanging(true)
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if errs := s.Send(ctx, batch); !errors.Is(errs[0], context.DeadlineExceeded) {
		t.Errorf("hanging: %v", errs)
	}
	s.SetHanging(false)
	s.Answer(func(context.Context, outbox.Message) error { return errBoom })
	if errs := s.Send(t.Context(), batch); !errors.Is(errs[0], errBoom) || len(s.Sent()) != 0 {
		t.Errorf("refusing: %v", errs)
	}
	s.Answer(nil)
	if errs := s.Send(t.Context(), batch); errs[0] != nil || len(s.Sent()) != 1 || s.Check(t.Context()) != nil || s.Checks() != 2 {
		t.Errorf("working: %v", errs)
	}
}
