package pgstore_test

import (
	"database/sql"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/locktest"
	"github.com/sendoff-go/outbox/internal/testenv"
)

// A letter is marked in SQL while an application's transaction, which stays open,
// writes an event with its id.
func TestASweepGoesOnBesideATransactionWithTheIDOfAMarkedLetter(t *testing.T) {
	db := openDB(t, testenv.Database(t, testenv.Postgres15))
	store := migrated(t, db)
	writeOne(t, store)
	writeOne(t, store)
	claim := func() []driver.Claimed {
		t.Helper()
		cs, err := store.Claim(t.Context(), driver.ClaimRequest{Owner: "a", Lease: time.Hour, Wants: []driver.Want{{Lane: "T", Rows: 10}}})
		if err != nil {
			t.Fatal(err)
		}
		return cs
	}
	cs := claim()
	if len(cs) != 2 {
		t.Fatalf("claimed %v, expected both", cs)
	}
	stale, err := store.Settle(t.Context(), "a", []driver.Outcome{{Held: cs[0].Held, Kind: driver.Dead, Error: "x"}, {Held: cs[1].Held, Kind: driver.Done}}, true)
	if err != nil || len(stale) > 0 {
		t.Fatalf("stale %v, error %v", stale, err)
	}
	exec(t, db, "UPDATE outbox_dlq_event SET status = 'TO_RETRY'")
	tx := testenv.Must(db.BeginTx(t.Context(), nil))
	defer func() { _ = tx.Rollback() }() // does nothing the second time
	w := outbox.NewWriter(store)
	if _, err := w.Write(t.Context(), tx, outbox.Event{ID: cs[0].EventID, Type: "T", JSON: []byte("1")}); err != nil {
		t.Fatal(err)
	}
	if n, err := store.Sweep(t.Context(), 0, 10); n != 1 || err != nil {
		t.Errorf("swept %d, error %v: expected the delivered event", n, err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if n, err := store.Sweep(t.Context(), 0, 10); n != 0 || err != nil {
		t.Errorf("swept %d, error %v: expected nothing to be left", n, err)
	}
	if cs := claim(); len(cs) != 1 {
		t.Errorf("claimed %v, expected the event of the letter", cs)
	}
}

func TestAnExpiryLeavesARowThatAnotherSessionHasLocked(t *testing.T) {
	db := openDB(t, testenv.Database(t, testenv.Postgres15))
	store := migrated(t, db)
	for _, status := range []string{"pending", "delivered"} {
		t.Run(status, func(t *testing.T) {
			writeOne(t, store)
			writeOne(t, store)
			if status == "delivered" {
				exec(t, db, "UPDATE outbox_event SET status = 1, done_at = now()")
			}
			release := locktest.LockRow(t, db, first(t, db))
			for _, want := range []int{1, 0} {
				if n, err := store.ExpireWritten(t.Context(), 0, 1); n != want || err != nil {
					t.Errorf("beside the lock: expired %d, error %v, expected %d", n, err, want)
				}
			}
			release()
			if n, err := store.ExpireWritten(t.Context(), 0, 10); n != 1 || err != nil {
				t.Errorf("afterwards: expired %d, error %v, expected the one that was locked", n, err)
			}
		})
	}
}

// first is the id of the oldest event.
func first(t *testing.T, db *sql.DB) (id string) {
	t.Helper()
	if err := db.QueryRowContext(t.Context(), "SELECT event_id FROM outbox_event ORDER BY seq LIMIT 1").Scan(&id); err != nil {
		t.Fatal(err)
	}
	return id
}
