package pgxstore_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/inboxtest"
	"github.com/sendoff-go/outbox/internal/ledgertest"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/pgstore"
	"github.com/sendoff-go/outbox/store/pgxstore"
)

func TestLedgerKeepsTheLaws(t *testing.T) {
	for _, tt := range []struct{ server, mode string }{
		{testenv.Postgres15, "cache_statement"},
		{testenv.Postgres18, "cache_statement"},
		{testenv.PgBouncer, "exec"},
	} {
		t.Run(tt.server+" "+tt.mode, func(t *testing.T) {
			inboxtest.Run(t, ledgerSubject(t, testenv.Database(t, tt.server), tt.mode), ledgertest.Memory)
		})
	}
}

// ledgerSubject opens ledgers that have the same tables, one after the other, in
// a schema that is not the default.
func ledgerSubject(t testing.TB, address, mode string) inboxtest.Open[pgx.Tx] {
	t.Helper()
	const schema = "ledger"
	pool := openPool(t, address, mode)
	exec(t, pool, "CREATE SCHEMA "+schema+"; CREATE TABLE "+schema+".effects (who text, what text)")
	config := pgxstore.Config{Tables: pgstore.Tables{Schema: schema}}
	store, peer := openStore(t, pool, config), openStore(t, openPool(t, address, mode), config)
	migrate(t, store)
	return func(t testing.TB) inboxtest.Subject[pgx.Tx] {
		exec(t, pool, "DELETE FROM "+schema+".outbox_consumed_event; DELETE FROM "+schema+".effects")
		return inboxtest.Subject[pgx.Tx]{
			Ledger: store,
			Peer:   peer,
			Effect: func(ctx context.Context, tx pgx.Tx, group, id string) error {
				_, err := tx.Exec(ctx, "INSERT INTO "+schema+".effects VALUES ($1, $2)", group, id)
				return err
			},
			Effects: func(ctx context.Context, group string) (map[string]int, error) {
				rows, _ := pool.Query(ctx, "SELECT what FROM "+schema+".effects WHERE who = $1", group) // rows has the error too
				ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
				counts := map[string]int{}
				for _, id := range ids {
					counts[id]++
				}
				return counts, err
			},
			Savepoint: func(ctx context.Context, tx pgx.Tx, name string) error {
				_, err := tx.Exec(ctx, "SAVEPOINT "+name)
				return err
			},
			RollbackTo: func(ctx context.Context, tx pgx.Tx, name string) error {
				_, err := tx.Exec(ctx, "ROLLBACK TO "+name)
				return err
			},
			Age: func(ctx context.Context, group string, by time.Duration, ids ...string) error {
				_, err := pool.Exec(ctx, "UPDATE "+schema+`.outbox_consumed_event SET consumed_at = consumed_at - $2 * interval '1 microsecond'
					WHERE consumer_group = $1 AND event_id = ANY ($3::text[])`, group, by.Microseconds(), ids)
				return err
			},
			Down: func(t testing.TB) driver.Ledger[pgx.Tx] {
				return openStore(t, openPool(t, "postgres://nobody@127.0.0.1:1/none", mode), config)
			},
			NoSchema: func(t testing.TB) driver.Ledger[pgx.Tx] {
				return openStore(t, pool, pgxstore.Config{Tables: pgstore.Tables{Schema: "missing"}})
			},
		}
	}
}
