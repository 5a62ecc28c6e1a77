package sqlitestore_test

import (
	"database/sql"
	"testing"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/inboxtest"
	"github.com/sendoff-go/outbox/internal/dialecttest"
	"github.com/sendoff-go/outbox/internal/ledgertest"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/sqlitestore"
)

func TestLedger(t *testing.T) { inboxtest.Run(t, ledgerOpener(t), ledgertest.Memory) }

func ledgerOpener(t testing.TB) inboxtest.Open[*sql.Tx] {
	t.Helper()
	db := openDB(t, testenv.Database(t, testenv.SQLite))
	migrated(t, db)
	store := testenv.Must(sqlitestore.New(db, dialecttest.Unhurried()))
	open := ledgertest.SQL(t, db, store, store, "consumed_at - %d / 1000")
	return func(t testing.TB) inboxtest.Subject[*sql.Tx] {
		s := open(t)
		s.OneTransaction = true
		s.Down = func(t testing.TB) driver.Ledger[*sql.Tx] {
			return testenv.Must(sqlitestore.New(openDB(t, t.TempDir()+"/missing/outbox.db"), dialecttest.Unhurried()))
		}
		s.NoSchema = func(t testing.TB) driver.Ledger[*sql.Tx] {
			db := openDB(t, testenv.Database(t, testenv.SQLite))
			exec(t, db, "CREATE TABLE outbox_control (n INTEGER)") // what a transaction begins with
			return testenv.Must(sqlitestore.New(db, dialecttest.Unhurried()))
		}
		return s
	}
}
