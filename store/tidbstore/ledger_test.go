package tidbstore_test

import (
	"database/sql"
	"testing"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/inboxtest"
	"github.com/sendoff-go/outbox/internal/dialecttest"
	"github.com/sendoff-go/outbox/internal/ledgertest"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/sqlstore"
	"github.com/sendoff-go/outbox/store/tidbstore"
)

func TestLedgerOnTiDB(t *testing.T) {
	address := testenv.Database(t, testenv.TiDB)
	db := openDB(t, address)
	store := newStore(db)
	if err := store.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	open := ledgertest.SQL(t, db, store, newStore(openDB(t, address)), "consumed_at - INTERVAL %d MICROSECOND")
	inboxtest.Run(t, func(t testing.TB) inboxtest.Subject[*sql.Tx] {
		s := open(t)
		s.Down = func(t testing.TB) driver.Ledger[*sql.Tx] {
			return newStore(openDB(t, "mysql://nobody@127.0.0.1:1/none"))
		}
		s.NoSchema = func(t testing.TB) driver.Ledger[*sql.Tx] { return newStore(fresh(t)()) }
		return s
	}, ledgertest.Memory)
}

func newStore(db *sql.DB) *sqlstore.Store {
	return testenv.Must(tidbstore.New(db, dialecttest.Unhurried()))
}
