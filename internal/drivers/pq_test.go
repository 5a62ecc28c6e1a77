package drivers_test

import (
	"context"
	"database/sql"
	"testing"

	_ "github.com/lib/pq" // the driver under test
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/inboxtest"
	"github.com/sendoff-go/outbox/internal/dialecttest"
	"github.com/sendoff-go/outbox/internal/ledgertest"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/pgstore"
)

func openPQ(t testing.TB, address string) *sql.DB {
	t.Helper()
	db, err := sql.Open("postgres", address)
	return closed(t, db, err)
}

func freshPQ(t testing.TB) func() *sql.DB {
	t.Helper()
	address := testenv.Database(t, testenv.Postgres15)
	return func() *sql.DB { return openPQ(t, address) }
}

func downPQ(t testing.TB) *sql.DB {
	t.Helper()
	return openPQ(t, "postgres://nobody@127.0.0.1:1/none?sslmode=disable")
}

func TestStoreWithPQ(t *testing.T) {
	fresh := func(t testing.TB) string { return testenv.Database(t, testenv.Postgres15) }
	trouble := dialecttest.PostgresTrouble(fresh, openPQ)
	trouble.Distant = nil // the driver waits for an answer whatever becomes of the context
	dialecttest.RunLaws(t, dialecttest.Laws{Dialect: pgstore.Dialect(), Fresh: freshPQ, Down: downPQ, Trouble: trouble, Past: "'epoch'"})
}

func TestDialectWithPQ(t *testing.T) {
	dialecttest.Run(t, dialecttest.Subject{
		Dialect: pgstore.Dialect(), Fresh: freshPQ, Schemas: true, Bytes: "BYTEA", Adoptions: dialecttest.PostgresAdoptions(),
		Unkept: dialecttest.PostgresUnkept(), Kept: dialecttest.PostgresKept(), OwnTriggers: dialecttest.PostgresTriggers(), IndexesShareNames: true,
	})
}

func TestLedgerWithPQ(t *testing.T) {
	open := freshPQ(t)
	db := open()
	store := testenv.Must(pgstore.New(db, dialecttest.Unhurried()))
	if err := store.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	subject := ledgertest.SQL(t, db, store, testenv.Must(pgstore.New(open(), dialecttest.Unhurried())), "consumed_at - %d * interval '1 microsecond'")
	inboxtest.Run(t, func(t testing.TB) inboxtest.Subject[*sql.Tx] {
		s := subject(t)
		// The driver forgets that a context has ended if the server has not got the
		// statement yet.
		s.Waiting = func(ctx context.Context) (waits bool, err error) {
			return waits, db.QueryRowContext(ctx, `SELECT EXISTS (SELECT FROM pg_stat_activity
				WHERE datname = current_database() AND wait_event_type = 'Lock')`).Scan(&waits)
		}
		s.Down = func(t testing.TB) driver.Ledger[*sql.Tx] {
			return testenv.Must(pgstore.New(downPQ(t), dialecttest.Unhurried()))
		}
		s.NoSchema = func(t testing.TB) driver.Ledger[*sql.Tx] {
			return testenv.Must(pgstore.New(freshPQ(t)(), dialecttest.Unhurried()))
		}
		return s
	}, ledgertest.Memory)
}
