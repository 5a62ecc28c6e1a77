package mysqlstore_test

import (
	"database/sql"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/await"
	"github.com/sendoff-go/outbox/internal/dialecttest"
	"github.com/sendoff-go/outbox/internal/locktest"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/mysqlstore"
)

// statementTime is the setting, with its value, that makes a server end
// statements after 800 ms, before a settle gives up waiting for a lock.
var statementTime = map[string][]string{
	testenv.MySQL80: {"max_execution_time", "800"},
	testenv.MySQL9:  {"max_execution_time", "800"},
	testenv.MariaDB: {"max_statement_time", "0.8"},
}

func TestTheLawsOfLocksHoldForAUserThat(t *testing.T) {
	onEach(t, func(t *testing.T, server string) {
		for does, settings := range map[string][]string{
			"has no limits":                nil,
			"waits long and works briefly": append([]string{"innodb_lock_wait_timeout", "60"}, statementTime[server]...),
		} {
			t.Run(does, func(t *testing.T) {
				t.Parallel() // they wait most of the time
				address := testenv.Database(t, server)
				locktest.Run(t, locktest.Laws{
					Dialect: mysqlstore.Dialect(),
					Relay:   func() *sql.DB { return openDB(t, with(t, address, settings...)) },
					Others:  func() *sql.DB { return openDB(t, address) },

					LockEvents:  "LOCK TABLES outbox_event WRITE",
					LockLetters: "LOCK TABLES outbox_dlq_event READ", UnlockTable: "UNLOCK TABLES",
				}, len(settings) > 0)
			})
		}
	})
}

// Another session has locked a row. When the relay has its answer, the server
// holds no locks for it, and the application's connections are as they were.
func TestASettleAroundALockLeavesNothingBehind(t *testing.T) {
	onEach(t, func(t *testing.T, server string) {
		address := testenv.Database(t, server)
		db := openDB(t, address)
		writer := migrated(t, db)
		one := openDB(t, with(t, address, statementTime[server]...))
		one.SetMaxOpenConns(1)
		store := testenv.Must(mysqlstore.New(one, dialecttest.Unhurried()))
		before := limits(t, one, statementTime[server][0])
		writeAll(t, outbox.NewWriter(writer), outbox.Event{Type: "T", JSON: []byte("1")}, outbox.Event{Type: "T", JSON: []byte("2")})
		cs, err := store.Claim(t.Context(), driver.ClaimRequest{Owner: "a", Lease: time.Hour, Wants: []driver.Want{{Lane: "T", Rows: 2}}})
		if err != nil || len(cs) != 2 {
			t.Fatalf("claimed %v, error %v", cs, err)
		}
		release := locktest.LockRow(t, db, cs[1].EventID)
		done := func(c driver.Claimed) driver.Outcome { return driver.Outcome{Held: c.Held, Kind: driver.Done} }
		stale, err := store.Settle(t.Context(), "a", []driver.Outcome{done(cs[0]), done(cs[1])}, true)
		var locked *driver.LockedError
		if !errors.As(err, &locked) || len(stale) > 0 || !slices.Equal(locked.Rows, []driver.Held{cs[1].Held}) {
			t.Errorf("settling both: stale %v, error %v, expected the second to be locked", stale, err)
		}
		if after := limits(t, one, statementTime[server][0]); after != before {
			t.Errorf("a connection has the limits %s, before they were %s", after, before)
		}
		// The server waits for a lock for a while, and then says so.
		if _, err := db.ExecContext(t.Context(), "UPDATE outbox_event SET tenant_id = 'x' WHERE seq = ?", cs[0].Seq); err != nil {
			t.Errorf("%v: the row that was settled is still locked", err)
		}
		release()
		if stale, err := store.Settle(t.Context(), "a", []driver.Outcome{done(cs[1])}, true); err != nil || len(stale) != 0 {
			t.Errorf("settling the one that nobody has locked any more: %v, %v", stale, err)
		}
		if after := limits(t, one, statementTime[server][0]); after != before {
			t.Errorf("a connection has the limits %s, before they were %s", after, before)
		}
	})
}

// limits asks the one connection of a pool for its limits, which a busy machine
// may run into by asking.
func limits(t *testing.T, db *sql.DB, statements string) (both string) {
	t.Helper()
	query := "SELECT CONCAT(@@SESSION.innodb_lock_wait_timeout, ' s, ', @@SESSION." + statements + ")"
	await.Until(t, "the server answers", func() bool {
		err := db.QueryRowContext(t.Context(), query).Scan(&both)
		if err != nil {
			t.Log(err)
		}
		return err == nil
	})
	return both
}
