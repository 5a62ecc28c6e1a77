package outbox_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/store/memstore"
)

// panicking is a store whose Insert panics, as a driver does that is closed
// under it.
type panicking struct{ outbox.TxStore[*memstore.Tx] }

func (panicking) Insert(context.Context, *memstore.Tx, outbox.InsertRequest) ([]outbox.Inserted, error) {
	panic("the driver is gone")
}

func TestAnInsertThatPanicsGivesItsRoomBack(t *testing.T) {
	s, h := newStore(), &hook{headStart: time.Minute}
	w := outbox.NewWriter[*memstore.Tx](panicking{s}, outbox.WithCommitHook(h))
	ctx, done := w.Track(t.Context())
	tx := begin(t, s)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic went no further")
			}
		}()
		_, _ = w.WriteAll(ctx, tx, []outbox.Event{named("a"), named("b")}...)
	}()
	must(t, tx.Rollback())
	if err := done(errCause); err == nil {
		t.Error("the rollback was lost")
	}
	if got := ids(h.dropped); !slices.Equal(got, []string{"a", "b"}) {
		t.Fatalf("dropped %q, expected what was admitted, once", got)
	}
	if h.dropped[0].HeadStart != time.Minute {
		t.Errorf("dropped as %+v, without its head start", h.dropped[0])
	}
}

// ending is a store whose transactions end in a panic.
type ending struct{ outbox.TxStore[*memstore.Tx] }

func (ending) Begin(ctx context.Context) (tx *memstore.Tx, commit, rollback func() error, err error) {
	end := func() error { panic("the driver is gone") }
	return nil, end, end, nil
}

func (ending) Insert(_ context.Context, _ *memstore.Tx, req outbox.InsertRequest) ([]outbox.Inserted, error) {
	answers := make([]outbox.Inserted, len(req.Events))
	for i := range answers {
		answers[i] = outbox.Inserted{Seq: int64(i) + 1, TopLevel: true}
	}
	return answers, nil
}

func TestAnEndThatPanicsGivesTheRoomBack(t *testing.T) {
	for name, result := range map[string]error{"commit": nil, "rollback": errCause} {
		t.Run(name, func(t *testing.T) {
			h := &hook{headStart: time.Minute}
			w := outbox.NewWriter[*memstore.Tx](ending{newStore()}, outbox.WithCommitHook(h))
			defer func() {
				if recover() == nil {
					t.Error("the panic went no further")
				}
				if got := ids(h.dropped); !slices.Equal(got, []string{"a", "b"}) {
					t.Errorf("dropped %q, expected what was admitted, once", got)
				}
			}()
			_ = w.InTx(t.Context(), func(ctx context.Context, tx *memstore.Tx) error {
				_, err := w.WriteAll(ctx, tx, []outbox.Event{named("a"), named("b")}...)
				must(t, err)
				return result
			})
		})
	}
}
