package pgstore_test

import (
	"context"
	"database/sql"
	"errors"
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
	"github.com/sendoff-go/outbox/store/pgstore"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

func TestLedgerOnPostgres15(t *testing.T) { testLedger(t, testenv.Postgres15) }

func TestLedgerOnPostgres18(t *testing.T) { testLedger(t, testenv.Postgres18) }

func TestLedgerThroughPgBouncer(t *testing.T) {
	testLedger(t, testenv.PgBouncer, "default_query_exec_mode", "exec")
}

// If an administrator changed the default isolation, consumers that cannot tell
// start over.
func TestLedgerWhereSerializableIsTheDefault(t *testing.T) {
	open := ledgerOpener(t, testenv.Postgres15, "default_transaction_isolation", "serializable")
	inboxtest.Run(t, func(t testing.TB) inboxtest.Subject[*sql.Tx] {
		s := open(t)
		s.Snapshot = true
		return s
	}, ledgertest.Memory)
}

// The transaction cannot see what was committed after it began. It gets an
// error, and neither takes the event for new nor skips it.
func TestATransactionWithAnOlderSnapshotIsToldOfTheConflict(t *testing.T) {
	for _, level := range []sql.IsolationLevel{sql.LevelRepeatableRead, sql.LevelSerializable} {
		t.Run(level.String(), func(t *testing.T) {
			db := openDB(t, testenv.Database(t, testenv.Postgres15))
			consumer, err := inbox.New(migrated(t, db), inbox.Config{Group: "billing"})
			if err != nil {
				t.Fatal(err)
			}
			tx, err := db.BeginTx(t.Context(), &sql.TxOptions{Isolation: level})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = tx.Rollback() }() // it is aborted
			var n int
			if err := tx.QueryRowContext(t.Context(), "SELECT count(*) FROM outbox_consumed_event").Scan(&n); err != nil {
				t.Fatal(err)
			}
			message := outbox.Received{EventID: "a"}
			if err := consumer.Consume(t.Context(), message, func(context.Context, *sql.Tx) error { return nil }); err != nil {
				t.Fatal(err)
			}
			if fresh, err := consumer.ConsumeIn(t.Context(), tx, message); fresh || !errors.Is(err, outbox.ErrConflict) {
				t.Errorf("new %t, error %v: expected ErrConflict", fresh, err)
			}
		})
	}
}

func TestForgettingReadsNoMoreThanItForgets(t *testing.T) {
	db := openDB(t, testenv.Database(t, testenv.Postgres15))
	store := migrated(t, db)
	exec(t, db, `INSERT INTO outbox_consumed_event (consumer_group, event_id, consumed_at)
		SELECT 'g' || n % 3, n, clock_timestamp() - n * interval '1 minute' FROM generate_series(1, 30000) n`)
	exec(t, db, "ANALYZE outbox_consumed_event")
	r, err := sqlstore.Resolve(store.Dialect(), sqlstore.Tables{})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := db.QueryContext(t.Context(), "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) "+r.Queries.LedgerForget.SQL, "g1", time.Hour.Microseconds(), 100)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }() // Err reports the same error
	var plan strings.Builder
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			t.Fatal(err)
		}
		plan.WriteString(line + "\n")
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	if text := plan.String(); !strings.Contains(text, "outbox_consumed_event_age") || !strings.Contains(text, "Tid Scan") || strings.Contains(text, "Seq Scan") || strings.Contains(text, "Sort") {
		t.Errorf("the plan is\n%s", text)
	}
}

func testLedger(t *testing.T, server string, parameters ...string) {
	inboxtest.Run(t, ledgerOpener(t, server, parameters...), ledgertest.Memory)
}

// ledgerOpener opens subjects on a server, with parameters added to its URL.
func ledgerOpener(t testing.TB, server string, parameters ...string) inboxtest.Open[*sql.Tx] {
	t.Helper()
	address := with(t, testenv.Database(t, server), parameters...)
	db := openDB(t, address)
	open := ledgertest.SQL(t, db, migrated(t, db), testenv.Must(pgstore.New(openDB(t, address), dialecttest.Unhurried())), "consumed_at - %d * interval '1 microsecond'")
	return func(t testing.TB) inboxtest.Subject[*sql.Tx] {
		s := open(t)
		s.Down = func(t testing.TB) driver.Ledger[*sql.Tx] {
			return testenv.Must(pgstore.New(openDB(t, "postgres://nobody@127.0.0.1:1/none?sslmode=disable"), dialecttest.Unhurried()))
		}
		s.NoSchema = func(t testing.TB) driver.Ledger[*sql.Tx] {
			return testenv.Must(pgstore.New(openDB(t, with(t, testenv.Database(t, server), parameters...)), dialecttest.Unhurried()))
		}
		return s
	}
}

// The rights are the ones in docs/schema.md.
func TestAConsumerNeedsNoRightToAnythingElse(t *testing.T) {
	db := openDB(t, testenv.Database(t, testenv.Postgres15))
	migrated(t, db)
	db.SetMaxOpenConns(1) // the role is the session's
	role := "consumer_" + strings.ToLower(outbox.NewID())
	exec(t, db, "CREATE ROLE "+role)
	defer exec(t, db, "RESET ROLE; DROP OWNED BY "+role+"; DROP ROLE "+role)
	exec(t, db, "GRANT SELECT (consumer_group, event_id), INSERT (consumer_group, event_id) ON outbox_consumed_event TO "+role)
	exec(t, db, "SET ROLE "+role)
	store := testenv.Must(pgstore.New(db, dialecttest.Unhurried()))
	consumer, err := inbox.New(store, inbox.Config{Group: "billing"})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := consumer.Consume(t.Context(), outbox.Received{EventID: "a"}, func(context.Context, *sql.Tx) error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	if known, err := store.Known(t.Context(), "billing", []string{"a"}); err != nil || !known[0] {
		t.Errorf("known %v, error %v", known, err)
	}
	exec(t, db, "RESET ROLE")
	exec(t, db, "GRANT SELECT, UPDATE, DELETE ON outbox_consumed_event TO "+role)
	exec(t, db, "GRANT SELECT, UPDATE (applied_at) ON outbox_schema TO "+role)
	exec(t, db, "SET ROLE "+role)
	if n, err := store.Forget(t.Context(), "billing", 0, 10); err != nil || n != 1 {
		t.Errorf("forgot %d, error %v", n, err)
	}
}
