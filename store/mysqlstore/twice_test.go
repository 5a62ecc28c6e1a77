package mysqlstore_test

import (
	"errors"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/await"
	"github.com/sendoff-go/outbox/internal/testenv"
)

// A relay whose answer was lost settles again while the server still works on
// the first call. The second call reads the row without a lock, and runs into
// the letter of the first.
func TestADeathThatIsSettledTwiceAtOnceIsStaleTheSecondTime(t *testing.T) {
	onEach(t, func(t *testing.T, server string) {
		db := openDB(t, testenv.Database(t, server))
		store := migrated(t, db)
		writeAll(t, outbox.NewWriter(store), outbox.Event{Type: "T", JSON: []byte("1")})
		cs, err := store.Claim(t.Context(), driver.ClaimRequest{Owner: "a", Lease: time.Hour, Wants: []driver.Want{{Lane: "T", Rows: 1}}})
		if err != nil || len(cs) != 1 {
			t.Fatalf("claimed %v, error %v", cs, err)
		}
		tx, err := db.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = tx.Rollback() }() // does nothing after the commit
		for _, statement := range []string{
			`INSERT INTO outbox_dlq_event (event_id, seq, event_type, payload, attempts, created_at, claim_no)
				SELECT event_id, seq, event_type, payload, 1, created_at, claim_no FROM outbox_event`,
			"DELETE FROM outbox_event",
		} {
			if _, err := tx.ExecContext(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
		type answer struct {
			stale []driver.Held
			err   error
		}
		second := make(chan answer, 1)
		go func() {
			for { // a settle waits for a lock only briefly, and is sent again then
				stale, err := store.Settle(t.Context(), "a", []driver.Outcome{{Held: cs[0].Held, Kind: driver.Dead, Attempts: 1}}, true)
				if !errors.As(err, new(*driver.LockedError)) {
					second <- answer{stale, err}
					return
				}
			}
		}()
		await.Until(t, "the second one waits", func() bool {
			// The server renews its table of transactions only if nobody has read it
			// for 100 ms.
			if _, err := db.ExecContext(t.Context(), "DO SLEEP(0.2)"); err != nil {
				t.Fatal(err)
			}
			var waiting int // in this database: other tests have locks of their own on the server
			if err := db.QueryRowContext(t.Context(), `SELECT COUNT(*) FROM information_schema.innodb_trx t
				JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id
				WHERE t.trx_state = 'LOCK WAIT' AND p.db = DATABASE()`).Scan(&waiting); err != nil {
				t.Fatal(err)
			}
			return waiting > 0
		})
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
		if a := <-second; a.err != nil || len(a.stale) != 1 {
			t.Errorf("stale %v, error %v: expected the claim to be over", a.stale, a.err)
		}
	})
}
