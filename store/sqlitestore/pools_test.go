package sqlitestore_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/dialecttest"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/sqlitestore"
)

// Pools on one file behave like processes: SQLite makes one wait for the other
// instead of failing.
func TestPoolsOnOneFileWaitForEachOther(t *testing.T) {
	const pools, rounds = 5, 20
	path := filepath.Join(t.TempDir(), "outbox.db")
	migrated(t, openDB(t, path))
	var wg sync.WaitGroup
	for range pools {
		db := patient(t, openDB(t, path))
		wg.Go(func() {
			store, owner := testenv.Must(sqlitestore.New(db, dialecttest.Unhurried())), driver.NewOwner("pool")
			w := outbox.NewWriter(store)
			for range rounds {
				start := time.Now()
				if err := w.InTx(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
					_, err := w.Write(ctx, tx, outbox.Event{Type: "T", JSON: []byte("1")})
					return err
				}); err != nil {
					t.Errorf("write, after %s: %v", time.Since(start), err)
				}
				start = time.Now()
				cs, err := store.Claim(t.Context(), driver.ClaimRequest{Owner: owner, Lease: time.Hour, Wants: []driver.Want{{Lane: "T", Rows: 3}}})
				if err != nil {
					t.Errorf("claim, after %s: %v", time.Since(start), err)
				}
				var outcomes []driver.Outcome
				for _, c := range cs {
					outcomes = append(outcomes, driver.Outcome{Held: c.Held, Kind: driver.Done})
				}
				start = time.Now()
				if stale, err := store.Settle(t.Context(), owner, outcomes, true); err != nil || len(stale) > 0 {
					t.Errorf("settle, after %s: stale %v, error %v", time.Since(start), stale, err)
				}
			}
		})
	}
	wg.Wait()
}

// A transaction that reads first and then writes cannot wait if another wrote
// in between: what it read is stale, and SQLite refuses at once, whatever the
// busy timeout. One that takes the write lock at its beginning keeps others
// waiting.
func TestATransactionThatReadsFirstNeedsTheWriteLock(t *testing.T) {
	for _, tt := range []struct {
		lock    string
		refused bool
	}{{"deferred", true}, {"immediate", false}} {
		t.Run(tt.lock, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "outbox.db")
			other := migrated(t, patient(t, openDB(t, path)))
			own, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(600000)&_txlock="+tt.lock)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = own.Close() }() // the tests before have said what is wrong
			tx, err := own.BeginTx(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = tx.Rollback() }() // after a commit it has nothing to do
			var n int
			if err := tx.QueryRowContext(t.Context(), "SELECT count(*) FROM outbox_event").Scan(&n); err != nil {
				t.Fatal(err)
			}
			announced := make(chan error, 1)
			go func() { announced <- other.Announce(t.Context(), driver.Instance{Owner: "other/1"}) }()
			if tt.refused {
				if err := <-announced; err != nil {
					t.Fatal(err)
				}
			}
			start := time.Now()
			_, err = outbox.NewWriter(testenv.Must(sqlitestore.New(own, dialecttest.Unhurried()))).Write(t.Context(), tx, outbox.Event{Type: "T", JSON: []byte("1")})
			if tt.refused {
				if err == nil || !strings.Contains(err.Error(), "database is locked") || time.Since(start) > 5*time.Minute {
					t.Errorf("after %s: %v, expected a refusal at once", time.Since(start), err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := tx.Commit(); err != nil {
				t.Fatal(err)
			}
			if err := <-announced; err != nil {
				t.Error(err)
			}
		})
	}
}
