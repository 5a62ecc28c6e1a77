package memkit

import (
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/memstore"
)

// Write writes events in one transaction and returns their ids.
func Write(t testing.TB, store *memstore.Store, es ...outbox.Event) (ids []string) {
	t.Helper()
	w := outbox.NewWriter(store)
	err := w.InTx(t.Context(), func(ctx context.Context, tx *memstore.Tx) (err error) {
		ids, err = w.WriteAll(ctx, tx, es...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

// Settle claims all waiting events of a type, settles them with this outcome, and
// returns them. keepDone keeps delivered ones in the outbox.
func Settle(t testing.TB, store *memstore.Store, eventType string, o driver.Outcome, keepDone bool) (es []outbox.Event) {
	t.Helper()
	owner := driver.NewOwner("a")
	cs, err := store.Claim(t.Context(), driver.ClaimRequest{Owner: owner, Lease: time.Hour, Wants: []driver.Want{{Lane: eventType, Rows: 10_000}}})
	if err != nil {
		t.Fatal(err)
	}
	var outcomes []driver.Outcome
	for _, c := range cs {
		o.Held = c.Held
		outcomes, es = append(outcomes, o), append(es, c.Event)
	}
	if stale, err := store.Settle(t.Context(), owner, outcomes, keepDone); err != nil || len(stale) > 0 {
		t.Fatalf("stale %v, error %v", stale, err)
	}
	return es
}

// Count returns the number of dead letters that a filter matches.
func Count(t testing.TB, store *memstore.Store, f driver.DeadFilter) int64 {
	t.Helper()
	n, err := store.CountDead(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	return n.N
}
