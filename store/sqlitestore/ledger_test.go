package sqlitestore_test

import (
	"database/sql"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/inboxtest"
	"github.com/sendoff-go/outbox/internal/ledgertest"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/sqlitestore"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

func TestLedger(t *testing.T) { inboxtest.Run(t, ledgerOpener(t), ledgertest.Memory) }

func ledgerOpener(t testing.TB) inboxtest.Open[*sql.Tx] {
	t.Helper()
	db := openDB(t, testenv.Database(t, testenv.SQLite))
	migrated(t, db)
	// Under the race detector the driver is some thirty times slower.
	store, err := sqlitestore.New(db, sqlstore.Config{StatementTimeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	open := ledgertest.SQL(t, db, store, store, "consumed_at - %d / 1000")
	return func(t testing.TB) inboxtest.Subject[*sql.Tx] {
		s := open(t)
		s.OneTransaction = true
		s.Down = func(t testing.TB) driver.Ledger[*sql.Tx] {
			return testenv.Must(sqlitestore.New(openDB(t, t.TempDir()+"/missing/outbox.db"), sqlitestore.Config{}))
		}
		s.NoSchema = func(t testing.TB) driver.Ledger[*sql.Tx] {
			db := openDB(t, testenv.Database(t, testenv.SQLite))
			exec(t, db, "CREATE TABLE outbox_control (n INTEGER)") // what a transaction begins with
			return testenv.Must(sqlitestore.New(db, sqlitestore.Config{}))
		}
		return s
	}
}
