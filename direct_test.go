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

func TestADirectWriterHandsOverAfterTheCommit(t *testing.T) {
	s := newStore()
	var got []string
	w := outbox.Direct[*memstore.Tx](s, outbox.Listener(func(_ context.Context, e outbox.Event) error {
		got = append(got, e.ID)
		return nil
	}))
	must(t, w.InTx(t.Context(), func(ctx context.Context, tx *memstore.Tx) error {
		_, err := w.WriteAll(ctx, tx, []outbox.Event{named("a"), named("b")}...)
		if len(got) > 0 {
			t.Error("handed over before the commit")
		}
		return errors.Join(err, tx.Put("k", "v"))
	}))
	_ = w.InTx(t.Context(), func(ctx context.Context, tx *memstore.Tx) error {
		_, err := w.Write(ctx, tx, named("c"))
		return errors.Join(err, errCause)
	})
	if !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("handed over %q, expected a and b", got)
	}
	if len(stored(t, s)) != 0 {
		t.Error("a direct writer stored something")
	}
	if _, found, _ := s.Get(t.Context(), "k"); !found {
		t.Error("the business change is gone")
	}
}

func TestADirectWriterOnlyLogsWhatItLoses(t *testing.T) {
	var log bytes.Buffer
	w := outbox.Direct[*memstore.Tx](newStore(), outbox.Listener(func(_ context.Context, e outbox.Event) error {
		if e.ID == "panics" {
			panic("oops")
		}
		return errCause
	}), outbox.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
	if _, err := write(t, w, named("panics"), named("fails")); err != nil {
		t.Errorf("the commit succeeded, the caller was told %v", err)
	}
	if text := log.String(); !strings.Contains(text, "oops") || !strings.Contains(text, "event_id=fails") {
		t.Errorf("the log says\n%s", text)
	}
}

func TestADirectWriterCannotDelay(t *testing.T) {
	w := outbox.Direct[*memstore.Tx](newStore(), outbox.Listener(func(context.Context, outbox.Event) error { return nil }))
	e := valid()
	e.DeliverAfter = 1
	if _, err := write(t, w, e); err == nil {
		t.Error("a delay was accepted that nobody keeps")
	}
}
