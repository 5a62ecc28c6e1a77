package testing_test

import (
	"context"
	"errors"
	"testing"

	"github.com/sendoff-go/outbox"
	shop "github.com/sendoff-go/outbox/examples/testing"
	"github.com/sendoff-go/outbox/outboxtest"
	"github.com/sendoff-go/outbox/store/memstore"
)

// newShop returns a shop on a store in memory, and a recorder of what it writes.
func newShop() (shop.Shop[*memstore.Tx], *memstore.Store, *outboxtest.Recorder) {
	rec := &outboxtest.Recorder{}
	store := memstore.New(memstore.Config{})
	w := outbox.NewWriter(store, outbox.WithWriteHooks(rec.WriteHook()))
	save := func(_ context.Context, tx *memstore.Tx, o shop.Order) error { return tx.Put("order:"+o.ID, "placed") }
	return shop.Shop[*memstore.Tx]{Writer: w, Save: save}, store, rec
}

// What was written, and was it committed?
func TestAnOrderIsAnnounced(t *testing.T) {
	s, _, rec := newShop()
	if err := s.Place(t.Context(), shop.Order{ID: "4711", Total: 12}); err != nil {
		t.Fatal(err)
	}
	e := rec.MustCommit(t, "OrderPlaced")
	if o, err := shop.OrderPlaced.Decode(e); err != nil || o.Total != 12 || e.AggregateID != "4711" {
		t.Errorf("announced %+v of %q, %v; expected a total of 12 of 4711", o, e.AggregateID, err)
	}
}

func TestAnEmptyOrderIsNotAnnounced(t *testing.T) {
	s, _, rec := newShop()
	if err := s.Place(t.Context(), shop.Order{ID: "4711"}); !errors.Is(err, shop.ErrEmpty) {
		t.Fatalf("error %v, expected ErrEmpty", err)
	}
	if len(rec.Committed()) != 0 || len(rec.RolledBack()) != 1 {
		t.Errorf("committed %v, rolled back %v; expected one that was rolled back", rec.Committed(), rec.RolledBack())
	}
}

// From end to end, in the test's own goroutine: Deliver hands over what is due and
// settles it, and tries each event once per call.
func TestAMailThatFailsIsSentAgain(t *testing.T) {
	s, store, _ := newShop()
	attempts := 0
	reg := outbox.NewRegistry()
	shop.Listen(reg, func(context.Context, shop.Order) error {
		if attempts++; attempts == 1 {
			return errors.New("mailbox full")
		}
		return nil
	})
	if err := s.Place(t.Context(), shop.Order{ID: "4711", Total: 12}); err != nil {
		t.Fatal(err)
	}
	for call, failed := range []bool{true, false} {
		results, err := outboxtest.Deliver(t.Context(), store, reg)
		if err != nil {
			t.Fatal(err)
		}
		if len(results) != 1 || (results[0].Err != nil) != failed || results[0].Attempt != call+1 {
			t.Errorf("call %d delivered %+v; expected attempt %d, failed: %t", call, results, call+1, failed)
		}
	}
	if results, err := outboxtest.Deliver(t.Context(), store, reg); err != nil || len(results) != 0 {
		t.Errorf("after that %+v, %v; expected nothing left", results, err)
	}
}

// A FlakyStore simulates a database that fails at the worst moment.
func TestAnOutageIsNoFailureOfTheMail(t *testing.T) {
	s, store, _ := newShop()
	mails := 0
	reg := outbox.NewRegistry()
	shop.Listen(reg, func(context.Context, shop.Order) error { mails++; return nil })
	if err := s.Place(t.Context(), shop.Order{ID: "4711", Total: 12}); err != nil {
		t.Fatal(err)
	}
	flaky := outboxtest.NewFlakyStore(store)
	flaky.Plan(func(op outboxtest.Op, call int) outboxtest.Fault {
		if op == outboxtest.OpClaim && call == 1 {
			return outboxtest.Refuse
		}
		return outboxtest.None
	})
	if _, err := outboxtest.Deliver(t.Context(), flaky, reg); !errors.Is(err, outbox.ErrStoreDown) {
		t.Fatalf("error %v, expected ErrStoreDown", err)
	}
	if _, err := outboxtest.Deliver(t.Context(), flaky, reg); err != nil || mails != 1 {
		t.Errorf("%d mails, %v; expected one after the outage", mails, err)
	}
}
