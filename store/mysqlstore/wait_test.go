package mysqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/mysqlstore"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// Somebody has locked a row. When the relay has given up, so has the server,
// which keeps no other row locked; and the business's connections are as they
// were.
func TestNobodyWaitsForALockAfterTheCallHasEnded(t *testing.T) {
	onEach(t, func(t *testing.T, server string) {
		address := testenv.Database(t, server)
		db := openDB(t, address)
		migrated(t, db)
		one := openDB(t, address)
		one.SetMaxOpenConns(1)
		store, err := mysqlstore.NewWith(one, sqlstore.Config{StatementTimeout: 2 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		before := lockWait(t, one)
		writeAll(t, outbox.NewWriter(store, nil), outbox.NewJSON("T", "1"), outbox.NewJSON("T", "2"))
		cs, err := store.Claim(t.Context(), outbox.ClaimRequest{Owner: "a", Lease: time.Hour, Wants: []outbox.Want{{Lane: "T", Rows: 2}}})
		if err != nil || len(cs) != 2 {
			t.Fatalf("claimed %v, error %v", cs, err)
		}
		tx, err := db.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = tx.Rollback() }() // its end is the database's
		if _, err := tx.ExecContext(t.Context(), "SELECT seq FROM outbox_event WHERE seq = ? FOR UPDATE", cs[1].Seq); err != nil {
			t.Fatal(err)
		}
		done := func(c outbox.Claimed) outbox.Outcome { return outbox.Outcome{Held: c.Held, Kind: outbox.Done} }
		_, err = store.Settle(t.Context(), "a", []outbox.Outcome{done(cs[0]), done(cs[1])}, true)
		if !errors.Is(err, outbox.ErrStoreDown) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("settling both: %v, expected that the time is over", err)
		}
		if after := lockWait(t, one); after != before {
			t.Errorf("a connection waits for locks for %d s, before it was %d", after, before)
		}
		if stale, err := store.Settle(t.Context(), "a", []outbox.Outcome{done(cs[0])}, true); err != nil || len(stale) != 0 {
			t.Errorf("settling the one that nobody has locked: %v, %v", stale, err)
		}
		if after := lockWait(t, one); after != before {
			t.Errorf("a connection waits for locks for %d s, before it was %d", after, before)
		}
	})
}

func lockWait(t *testing.T, db *sql.DB) (seconds int) {
	t.Helper()
	if err := db.QueryRowContext(t.Context(), "SELECT @@SESSION.innodb_lock_wait_timeout").Scan(&seconds); err != nil {
		t.Fatal(err)
	}
	return seconds
}
