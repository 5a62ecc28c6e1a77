package mysqlstore_test

import (
	"context"
	"database/sql"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/inbox"
	"github.com/sendoff-go/outbox/inboxtest"
	"github.com/sendoff-go/outbox/internal/dialecttest"
	"github.com/sendoff-go/outbox/internal/ledgertest"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/mysqlstore"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

func TestLedgerOnMySQL80(t *testing.T) { testLedger(t, testenv.MySQL80) }

func TestLedgerOnMySQL9(t *testing.T) { testLedger(t, testenv.MySQL9) }

func TestLedgerOnMariaDB(t *testing.T) { testLedger(t, testenv.MariaDB) }

func testLedger(t *testing.T, server string, parameters ...string) {
	inboxtest.Run(t, ledgerOpener(t, server, parameters...), ledgertest.Memory)
}

// ledgerOpener opens subjects on a server, with parameters added to the
// driver's.
func ledgerOpener(t testing.TB, server string, parameters ...string) inboxtest.Open[*sql.Tx] {
	t.Helper()
	address := with(t, testenv.Database(t, server), parameters...)
	db := openDB(t, address)
	open := ledgertest.SQL(t, db, migrated(t, db), testenv.Must(mysqlstore.New(openDB(t, address), dialecttest.Unhurried())), "consumed_at - INTERVAL %d MICROSECOND")
	return func(t testing.TB) inboxtest.Subject[*sql.Tx] {
		s := open(t)
		s.Down = func(t testing.TB) driver.Ledger[*sql.Tx] {
			return testenv.Must(mysqlstore.New(openDB(t, "mysql://nobody@127.0.0.1:1/none"), dialecttest.Unhurried()))
		}
		s.NoSchema = func(t testing.TB) driver.Ledger[*sql.Tx] {
			return testenv.Must(mysqlstore.New(openDB(t, testenv.Database(t, server)), dialecttest.Unhurried()))
		}
		return s
	}
}

// The transaction began before the other committed, so a plain read would not
// see the row.
func TestATransactionWithAnOlderSnapshotStillTellsNewFromKnown(t *testing.T) {
	onEach(t, func(t *testing.T, server string) {
		for _, level := range []sql.IsolationLevel{sql.LevelReadCommitted, sql.LevelRepeatableRead, sql.LevelSerializable} {
			db := openDB(t, testenv.Database(t, server))
			consumer := newConsumer(t, migrated(t, db))
			tx, err := db.BeginTx(t.Context(), &sql.TxOptions{Isolation: level})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := tx.ExecContext(t.Context(), "SELECT * FROM outbox_event"); err != nil { // makes the snapshot
				t.Fatal(err)
			}
			if err := consumer.Consume(t.Context(), outbox.Received{EventID: "b"}, nothing); err != nil {
				t.Fatal(err)
			}
			fresh, err := consumer.ConsumeBatchIn(t.Context(), tx, []outbox.Received{{EventID: "c"}, {EventID: "b"}, {EventID: "a"}})
			if err != nil || len(fresh) != 2 || fresh[0].EventID != "c" || fresh[1].EventID != "a" {
				t.Errorf("%s: new are %v, error %v: expected c and a", level, fresh, err)
			}
			if err := tx.Commit(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// The driver has an option to count the rows found instead of the rows changed.
func TestADriverThatCountsFoundRowsChangesNothing(t *testing.T) {
	onEach(t, func(t *testing.T, server string) {
		db := openDB(t, with(t, testenv.Database(t, server), "clientFoundRows", "true"))
		consumer := newConsumer(t, migrated(t, db))
		runs := 0
		for _, id := range []string{"a", "a", "b"} {
			if err := consumer.ConsumeBatch(t.Context(), []outbox.Received{{EventID: id}, {EventID: "x"}},
				func(_ context.Context, _ *sql.Tx, fresh []outbox.Received) error {
					runs += len(fresh)
					return nil
				}); err != nil {
				t.Fatal(err)
			}
		}
		if runs != 3 {
			t.Errorf("%d effects, expected 3", runs)
		}
	})
}

// IGNORE skips more than duplicates. An id that is neither written nor found
// must not pass for a duplicate.
func TestWhatTheTableRefusesIsNotSkipped(t *testing.T) {
	onEach(t, func(t *testing.T, server string) {
		address := testenv.Database(t, server)
		db := openDB(t, address)
		store := migrated(t, db)
		exec(t, db, "CREATE TABLE parent (event_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY) ENGINE = InnoDB")
		exec(t, db, "INSERT INTO parent VALUES ('a')")
		lax := openDB(t, with(t, address, "sql_mode", "''")) // or MySQL 8.0.15 refuses the defaults that it has
		exec(t, lax, "ALTER TABLE outbox_consumed_event ADD FOREIGN KEY (event_id) REFERENCES parent (event_id)")
		consumer := newConsumer(t, store)
		if err := consumer.Consume(t.Context(), outbox.Received{EventID: "a"}, nothing); err != nil {
			t.Fatal(err)
		}
		err := consumer.Consume(t.Context(), outbox.Received{EventID: "b"}, nothing)
		if err == nil || !strings.Contains(err.Error(), "neither written nor found") {
			t.Errorf("error %v, expected the refusal", err)
		}
	})
}

func TestForgettingDoesNotWaitForAnOpenTransaction(t *testing.T) {
	onEach(t, func(t *testing.T, server string) {
		db := openDB(t, testenv.Database(t, server))
		store := migrated(t, db)
		exec(t, db, "INSERT INTO outbox_consumed_event (consumer_group, event_id, consumed_at) VALUES ('g', 'old', '2020-01-01')")
		tx, err := db.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = tx.Rollback() }() // a consumer that stays open
		if _, err := store.Record(t.Context(), tx, "g", []string{"new"}); err != nil {
			t.Fatal(err)
		}
		// The transaction is open for longer than any call waits.
		if n, err := store.Forget(t.Context(), "g", time.Hour, 10); err != nil || n != 1 {
			t.Errorf("forgot %d, error %v: expected one, without waiting for the open transaction", n, err)
		}
	})
}

// The rights are the ones in docs/schema.md.
func TestAConsumerNeedsNoRightToAnythingElse(t *testing.T) {
	onEach(t, func(t *testing.T, server string) {
		address := testenv.Database(t, server)
		db := openDB(t, address)
		migrated(t, db)
		user, own := newUser(t, address, db)
		exec(t, db, "GRANT SELECT, INSERT, DELETE ON outbox_consumed_event TO "+user)
		store := testenv.Must(mysqlstore.New(openDB(t, own), dialecttest.Unhurried()))
		consumer := newConsumer(t, store)
		runs := 0
		for _, batch := range [][]outbox.Received{{{EventID: "a"}}, {{EventID: "a"}}, {{EventID: "a"}, {EventID: "b"}}} {
			if err := consumer.ConsumeBatch(t.Context(), batch, func(_ context.Context, _ *sql.Tx, fresh []outbox.Received) error {
				runs += len(fresh)
				return nil
			}); err != nil {
				t.Fatal(err)
			}
		}
		if runs != 2 {
			t.Errorf("%d effects, expected two", runs)
		}
		if known, err := store.Known(t.Context(), "billing", []string{"a"}); err != nil || !known[0] {
			t.Errorf("known %v, error %v", known, err)
		}
		if _, err := store.Forget(t.Context(), "billing", 0, 10); err == nil {
			t.Error("forgot without the right to")
		}
		exec(t, db, "GRANT SELECT, UPDATE ON outbox_schema TO "+user)
		if n, err := store.Forget(t.Context(), "billing", 0, 10); err != nil || n != 2 {
			t.Errorf("forgot %d, error %v", n, err)
		}
	})
}

func newConsumer(t *testing.T, store *sqlstore.Store) *inbox.Consumer[*sql.Tx] {
	t.Helper()
	consumer, err := inbox.New(store, inbox.Config{Group: "billing"})
	if err != nil {
		t.Fatal(err)
	}
	return consumer
}

func nothing(context.Context, *sql.Tx) error { return nil }
