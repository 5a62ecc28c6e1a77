package outbox_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/store/memstore"
)

func before(f func(e outbox.Event) (outbox.Event, error)) outbox.WriterOption {
	return outbox.WithWriteHooks(outbox.WriteHook{
		BeforeWrite: func(_ context.Context, e outbox.Event) (outbox.Event, error) { return f(e) },
	})
}

func TestWriteHooksRunInOrderAndMayChangeEvents(t *testing.T) {
	s := newStore()
	add := func(text string) outbox.WriterOption {
		return before(func(e outbox.Event) (outbox.Event, error) {
			e.TenantID += text
			return e, nil
		})
	}
	w := outbox.NewWriter(s, add("a"), add("b"), outbox.WithWriteHooks(outbox.WriteHook{}, outbox.WriteHook{}))
	if _, err := write(t, w, valid()); err != nil {
		t.Fatal(err)
	}
	if e := stored(t, s)[0]; e.TenantID != "ab" {
		t.Errorf("tenant %q, expected ab", e.TenantID)
	}
}

func TestAWriteHookMayLeaveEventsOut(t *testing.T) {
	s := newStore()
	w := outbox.NewWriter(s,
		before(func(e outbox.Event) (outbox.Event, error) {
			if e.ID == "skip" {
				return e, outbox.Skip
			}
			return e, nil
		}),
		before(func(e outbox.Event) (outbox.Event, error) {
			if e.ID == "skip" {
				t.Error("a later hook saw an event that was left out")
			}
			return e, nil
		}))
	got, err := write(t, w, named("skip"), named("keep"))
	if err != nil || !slices.Equal(got, []string{"", "keep"}) || len(stored(t, s)) != 1 {
		t.Errorf("ids %q, error %v", got, err)
	}
	if got, err := write(t, w, named("skip")); err != nil || !slices.Equal(got, []string{""}) {
		t.Errorf("all left out: ids %q, error %v", got, err)
	}
}

func TestAWriteHookMayRefuse(t *testing.T) {
	s := newStore()
	w := outbox.NewWriter(s, before(func(e outbox.Event) (outbox.Event, error) {
		if e.ID == "bad" {
			return e, errCause
		}
		return e, nil
	}))
	if _, err := write(t, w, named("good"), named("bad")); !errors.Is(err, errCause) || len(stored(t, s)) != 0 {
		t.Errorf("error %v, expected the hook's, and nothing stored", err)
	}
}

func TestWhatAHookMakesIsChecked(t *testing.T) {
	w := outbox.NewWriter(newStore(), before(func(e outbox.Event) (outbox.Event, error) {
		e.Type = ""
		return e, nil
	}))
	if _, err := write(t, w, valid()); !errors.Is(err, outbox.ErrInvalidEvent) {
		t.Errorf("error %v, expected ErrInvalidEvent", err)
	}
}

func TestAWriteHookCannotReachTheCallersEvent(t *testing.T) {
	w := outbox.NewWriter(newStore(), before(func(e outbox.Event) (outbox.Event, error) {
		e.Headers["h"], e.JSON[0] = "changed", '2'
		return e, nil
	}))
	e := outbox.Event{Type: "T", JSON: []byte(`1`), Headers: map[string]string{"h": "original"}}
	if _, err := write(t, w, e); err != nil || e.Headers["h"] != "original" || string(e.JSON) != "1" {
		t.Errorf("the caller's event became %+v, error %v", e, err)
	}
}

func TestHooksSeeWhatWasStoredAndHowItEnded(t *testing.T) {
	var seen []string
	note := func(what string) func(es []outbox.Event) {
		return func(es []outbox.Event) {
			for _, e := range es {
				seen = append(seen, what+" "+e.ID)
			}
		}
	}
	s := newStore()
	w := outbox.NewWriter(s, outbox.WithWriteHooks(outbox.WriteHook{
		AfterWrite:    func(_ context.Context, es []outbox.Event) { note("written")(es) },
		AfterCommit:   note("committed"),
		AfterRollback: note("rolled back"),
	}))
	if _, err := write(t, w, named("a"), named("b")); err != nil {
		t.Fatal(err)
	}
	_ = w.InTx(t.Context(), func(ctx context.Context, tx *memstore.Tx) error {
		_, err := w.Write(ctx, tx, named("c"))
		return errors.Join(err, errCause)
	})
	err := w.InTx(t.Context(), func(ctx context.Context, tx *memstore.Tx) error {
		_, err := w.WriteIfAbsent(ctx, tx, named("a"), named("d"))
		return err
	})
	want := []string{"written a", "written b", "committed a", "committed b", "written c", "rolled back c", "written d", "committed d"}
	if err != nil || !slices.Equal(seen, want) {
		t.Errorf("saw %q (error %v), expected %q", seen, err, want)
	}
}

// panics is a commit hook that always does.
type panics struct{ hook }

func (*panics) Committed([]outbox.Written) { panic("commit hook") }
func (*panics) Dropped([]outbox.Written)   { panic("commit hook") }

func TestAPanicAfterTheEndNeverReachesTheCaller(t *testing.T) {
	var log bytes.Buffer
	called := 0
	s := newStore()
	w := outbox.NewWriter(s, outbox.WithCommitHook(&panics{}),
		outbox.WithLogger(slog.New(slog.NewTextHandler(&log, nil))),
		outbox.WithWriteHooks(
			outbox.WriteHook{AfterCommit: func([]outbox.Event) { panic("after commit") }, AfterRollback: func([]outbox.Event) { panic("after rollback") }},
			outbox.WriteHook{AfterCommit: func([]outbox.Event) { called++ }, AfterRollback: func([]outbox.Event) { called++ }},
		))
	if _, err := write(t, w, valid()); err != nil {
		t.Errorf("the commit succeeded, the caller was told %v", err)
	}
	err := w.InTx(t.Context(), func(ctx context.Context, tx *memstore.Tx) error {
		_, err := w.Write(ctx, tx, valid())
		return errors.Join(err, errCause)
	})
	if !errors.Is(err, errCause) || called != 2 {
		t.Errorf("error %v, the later hook ran %d times", err, called)
	}
	if len(stored(t, s)) != 1 {
		t.Error("the committed event is gone")
	}
	for _, want := range []string{"commit hook", "after commit", "after rollback"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log says nothing of %q", want)
		}
	}
}
