package demo

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
)

func TestAccountingIsDownOnceAMinute(t *testing.T) {
	down, changes, was := 0, 0, false
	for s := range 180 {
		is := outage(time.Duration(s) * time.Second)
		if is {
			down++
		}
		if is != was {
			changes, was = changes+1, is
		}
	}
	if down != 36 || changes != 6 || outage(15*time.Second) {
		t.Errorf("down for %d s of 180, %d changes", down, changes)
	}
}

func TestInvoicesWaitForAccountingWithoutUsingUpAttempts(t *testing.T) {
	b := newBooks()
	a := &accounting{books: b, start: time.Now().Add(-25 * time.Second)}
	m := outbox.Message{Event: invoiceRequested.New(newOrder(1).id(), newOrder(1).invoice())}
	b.ledgers[m.Event.Type].Committed(1)
	for range 3 {
		if errs := a.Send(t.Context(), []outbox.Message{m}); !outbox.IsUnavailable(errs[0]) {
			t.Fatalf("got %v", errs)
		}
	}
	if c := b.counts(nil); c.Retried != 0 || c.Delivered != 0 || c.Open() != 1 {
		t.Errorf("got %+v", c)
	}
	a.open.Store(true) // the shop has closed
	if errs := a.Send(t.Context(), []outbox.Message{m}); errs[0] != nil || a.Check(t.Context()) != nil {
		t.Errorf("got %v", errs)
	}
	if c := b.counts(nil); c.Delivered != 1 || c.Retried != 0 {
		t.Errorf("got %+v", c)
	}
}
