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
	w := outbox.NewWriter[*memstore.Tx](panicking{s}, h)
	ctx, done := w.Track(t.Context())
	tx := begin(t, s)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic went no further")
			}
		}()
		_, _ = w.WriteAll(ctx, tx, []outbox.Event{named("a"), named("b")})
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
