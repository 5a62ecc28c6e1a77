package mysqlstore_test

import (
	"database/sql"
	"fmt"
	"strings"
	"sync/atomic"
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
		second := make(chan []driver.Held, 1)
		var last atomic.Value // the last error of a settle
		go func() {
			for t.Context().Err() == nil { // a settle waits for a lock only briefly, and is sent again then
				stale, err := store.Settle(t.Context(), "a", []driver.Outcome{{Held: cs[0].Held, Kind: driver.Dead, Attempts: 1}}, true)
				if err == nil {
					second <- stale
					return
				}
				last.Store(err.Error())
			}
		}()
		await.Within(t, await.Patience, "the second one waits", func() bool {
			select {
			case stale := <-second:
				t.Fatalf("it did not wait: stale %v", stale)
			default:
			}
			return waitsForLetter(t, db)
		}, func() string { return fmt.Sprint("its last error: ", last.Load()) })
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
		if stale := <-second; len(stale) != 1 {
			t.Errorf("stale %v: expected the claim to be over", stale)
		}
	})
}

// waitsForLetter reports whether some session waits for a lock on the dead letters
// of this database. It reads the monitor of InnoDB: its tables of transactions and
// locks show what was there when they were last read, if that was just now, and
// other tests read them, too.
func waitsForLetter(t *testing.T, db *sql.DB) bool {
	t.Helper()
	var engine, name, status, database string
	if err := db.QueryRowContext(t.Context(), "SELECT DATABASE()").Scan(&database); err != nil {
		t.Fatal(err)
	}
	if err := db.QueryRowContext(t.Context(), "SHOW ENGINE INNODB STATUS").Scan(&engine, &name, &status); err != nil {
		t.Fatal(err)
	}
	table := "`" + database + "`.`outbox_dlq_event`"
	for line := range strings.Lines(status) {
		if strings.Contains(line, table) && strings.HasSuffix(strings.TrimSpace(line), " waiting") {
			return true
		}
	}
	return false
}
