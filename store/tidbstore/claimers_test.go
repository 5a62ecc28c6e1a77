package tidbstore_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/locktest"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// The server takes no lock for SKIP LOCKED: claimers that rely on it get the
// same rows.
func TestEightClaimersAtTheHeadNeverGetOneRowTwice(t *testing.T) {
	testenv.URL(t, testenv.TiDB) // or skip all of it
	for _, mode := range []string{"pessimistic", "optimistic"} {
		t.Run(mode, func(t *testing.T) { eightClaimers(t, mode) })
	}
}

// eightClaimers has claimers meet whose transactions are of that mode. If it is
// optimistic, some give up at the commit and ask again.
func eightClaimers(t *testing.T, mode string) {
	address := testenv.Database(t, testenv.TiDB)
	store := newStore(openDB(t, address))
	writeMany(t, store, 600)
	var mu sync.Mutex
	got := map[string]driver.Owner{}
	var wg sync.WaitGroup
	for i := range 8 {
		claimer, owner := newStore(openDB(t, address+"?tidb_txn_mode=%27"+mode+"%27")), driver.NewOwner(fmt.Sprint(i))
		wg.Go(func() {
			for {
				cs, err := claim(t.Context(), claimer, owner, 25)
				if err != nil && (mode == "pessimistic" || !errors.Is(err, outbox.ErrStoreDown)) {
					t.Errorf("claim: %v", err)
					return
				}
				mu.Lock()
				for _, c := range cs {
					if other, twice := got[c.EventID]; twice {
						t.Errorf("%s got the event of %s, as number %d", owner, other, c.ClaimNo)
					}
					got[c.EventID] = owner
				}
				all := len(got) == 600
				mu.Unlock()
				if all || t.Failed() {
					return
				}
			}
		})
	}
	wg.Wait()
}

// A person's transaction holds one row of each full batch: the rest of the lane
// goes on behind it, and nothing but that row stays.
func TestALockedRowOfALongLaneKeepsOnlyItself(t *testing.T) {
	address := testenv.Database(t, testenv.TiDB)
	db := openDB(t, address)
	store := newStore(db)
	ids := writeMany(t, store, 100)
	release := locktest.LockRow(t, db, ids[3])
	got := map[string]bool{}
	for range 20 {
		cs, err := claim(t.Context(), store, "a", 10)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cs {
			got[c.EventID] = true
		}
	}
	if len(got) != 99 || got[ids[3]] {
		t.Errorf("claimed %d, expected all but the locked one", len(got))
	}
	release()
	if cs, err := claim(t.Context(), store, "a", 10); err != nil || len(cs) != 1 || cs[0].EventID != ids[3] {
		t.Errorf("claimed %v, error %v: expected the one that was locked", cs, err)
	}
}

// A claimer goes far ahead where a row is locked. Those beside it must not wait
// until the lane is short, which it may never be.
func TestRowsBesideALockedOneDoNotWaitForTheEndOfTheLane(t *testing.T) {
	address := testenv.Database(t, testenv.TiDB)
	db := openDB(t, address)
	store := newStore(db)
	ids := writeMany(t, store, 1000)
	release := locktest.LockRow(t, db, ids[0])
	defer release()
	beside := map[string]bool{ids[1]: true, ids[2]: true, ids[3]: true, ids[4]: true}
	claims := 0
	for ; len(beside) > 0 && claims < 190; claims++ {
		cs, err := claim(t.Context(), store, "a", 5)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cs {
			delete(beside, c.EventID)
		}
	}
	if len(beside) > 0 {
		t.Errorf("after %d claims %d rows beside the locked one still wait", claims, len(beside))
	}
}

func claim(ctx context.Context, store *sqlstore.Store, owner driver.Owner, rows int) ([]driver.Claimed, error) {
	return store.Claim(ctx, driver.ClaimRequest{Owner: owner, Lease: time.Hour, Wants: []driver.Want{{Lane: "T", Rows: rows}}})
}

// writeMany makes the tables and writes events of one lane.
func writeMany(t *testing.T, store *sqlstore.Store, n int) (ids []string) {
	t.Helper()
	if err := store.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	es := make([]outbox.Event, n)
	for i := range es {
		es[i] = outbox.Event{Type: "T", JSON: []byte("1")}
	}
	w := outbox.NewWriter(store)
	if err := w.InTx(t.Context(), func(ctx context.Context, tx *sql.Tx) (err error) {
		ids, err = w.WriteAll(ctx, tx, es...)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return ids
}
