package outbox_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"reflect"
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
	w := outbox.NewWriter(s, nil, add("a"), add("b"), outbox.WithWriteHooks(outbox.WriteHook{}, outbox.WriteHook{}))
	if _, err := write(t, w, valid()); err != nil {
		t.Fatal(err)
	}
	if e := stored(t, s)[0]; e.TenantID != "ab" {
		t.Errorf("tenant %q, expected ab", e.TenantID)
	}
}

func TestAWriteHookMayLeaveEventsOut(t *testing.T) {
	s := newStore()
	w := outbox.NewWriter(s, nil,
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
	w := outbox.NewWriter(s, nil, before(func(e outbox.Event) (outbox.Event, error) {
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
	w := outbox.NewWriter(newStore(), nil, before(func(e outbox.Event) (outbox.Event, error) {
		e.Type = ""
		return e, nil
	}))
	if _, err := write(t, w, valid()); !errors.Is(err, outbox.ErrInvalidEvent) {
		t.Errorf("error %v, expected ErrInvalidEvent", err)
	}
}

func TestAWriteHookCannotReachTheCallersEvent(t *testing.T) {
	w := outbox.NewWriter(newStore(), nil, before(func(e outbox.Event) (outbox.Event, error) {
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
	w := outbox.NewWriter(s, nil, outbox.WithWriteHooks(outbox.WriteHook{
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
	w := outbox.NewWriter(s, &panics{},
		outbox.WithLogger(slog.New(slog.NewTextHandler(&log, nil))),
		outbox.WithHooks(outbox.Hooks{Written: func(outbox.WrittenInfo) { panic("Written") }}),
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
	for _, want := range []string{"commit hook", "Written", "after commit", "after rollback"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log says nothing of %q", want)
		}
	}
}

func TestTheCommitIsObserved(t *testing.T) {
	var got []outbox.WrittenInfo
	h := &hook{headStart: 1}
	w := outbox.NewWriter(newStore(), h, outbox.WithHooks(outbox.Hooks{Written: func(i outbox.WrittenInfo) { got = append(got, i) }}))
	if _, err := write(t, w, valid(), valid()); err != nil {
		t.Fatal(err)
	}
	h.headStart = 0
	if _, err := write(t, w, valid()); err != nil {
		t.Fatal(err)
	}
	if want := []outbox.WrittenInfo{{Events: 2, Hot: 2}, {Events: 1}}; !slices.Equal(got, want) {
		t.Errorf("observed %+v, expected %+v", got, want)
	}
}

// TestATeeCallsBoth looks at every field, so that none is forgotten when one
// is added.
func TestATeeCallsBoth(t *testing.T) {
	calls := 0
	var a, b outbox.Hooks
	for _, h := range []*outbox.Hooks{&a, &b} {
		v := reflect.ValueOf(h).Elem()
		for i := range v.NumField() {
			v.Field(i).Set(reflect.MakeFunc(v.Field(i).Type(), func([]reflect.Value) []reflect.Value { calls++; return nil }))
		}
	}
	for name, tt := range map[string]struct {
		hooks outbox.Hooks
		want  int
	}{"both": {outbox.TeeHooks(a, b), 2}, "left": {outbox.TeeHooks(a, outbox.Hooks{}), 1}, "right": {outbox.TeeHooks(outbox.Hooks{}, b), 1}} {
		v := reflect.ValueOf(tt.hooks)
		for i := range v.NumField() {
			calls = 0
			v.Field(i).Call([]reflect.Value{reflect.Zero(v.Field(i).Type().In(0))})
			if calls != tt.want {
				t.Errorf("%s: %s was called %d times, expected %d", name, v.Type().Field(i).Name, calls, tt.want)
			}
		}
	}
	if none := outbox.TeeHooks(outbox.Hooks{}, outbox.Hooks{}); none.Written != nil {
		t.Error("nothing and nothing became something")
	}
}
