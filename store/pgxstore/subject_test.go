package pgxstore_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/dialecttest"
	"github.com/sendoff-go/outbox/internal/locktest"
	"github.com/sendoff-go/outbox/store/pgstore"
	"github.com/sendoff-go/outbox/store/pgxstore"
	"github.com/sendoff-go/outbox/storetest"
)

// subject opens stores through pools in that mode. All have the same tables, one
// after the other, in a schema that is not the default.
func subject(t testing.TB, address, mode string) storetest.Open[pgx.Tx] {
	return subjectWith(t, address, mode, nil)
}

// subjectWith has a pool for the relay, unless it is nil.
func subjectWith(t testing.TB, address, mode string, relay *pgxpool.Pool) storetest.Open[pgx.Tx] {
	const schema = "law"
	pool := openPool(t, address, mode)
	exec(t, pool, "CREATE SCHEMA "+schema+"; CREATE TABLE "+schema+".business (n int)")
	config := pgxstore.Config{Tables: pgstore.Tables{Schema: schema}, Relay: relay}
	store := openStore(t, pool, config)
	migrate(t, store)
	var clients []*pgxstore.Store
	return func(tb testing.TB) storetest.Subject[pgx.Tx] {
		for _, statement := range append(dialecttest.Empty(schema+"."), "DELETE FROM "+schema+".business") {
			exec(tb, pool, statement)
		}
		given := 0
		waker := func(testing.TB) driver.Waker { return pgxstore.Unhurried(store.Waker(nil)) }
		if mode == "exec" {
			waker = nil // through a pooler, which has no session that could listen
		}
		s := storetest.Subject[pgx.Tx]{
			Waker: waker,
			Store: store,
			Client: func(testing.TB) storetest.Store[pgx.Tx] {
				if given++; given > len(clients) {
					clients = append(clients, openStore(t, openPool(t, address, mode), config))
				}
				return clients[given-1]
			},
			Change: func(ctx context.Context, tx pgx.Tx) error {
				_, err := tx.Exec(ctx, "INSERT INTO "+schema+".business VALUES (1)")
				return err
			},
			Changes: func(ctx context.Context) (n int, err error) {
				err = pool.QueryRow(ctx, "SELECT count(*) FROM "+schema+".business").Scan(&n)
				return n, err
			},
			Savepoint: func(ctx context.Context, tx pgx.Tx, name string) error {
				_, err := tx.Exec(ctx, "SAVEPOINT "+pgx.Identifier{name}.Sanitize())
				return err
			},
			RollbackTo: func(ctx context.Context, tx pgx.Tx, name string) error {
				_, err := tx.Exec(ctx, "ROLLBACK TO "+pgx.Identifier{name}.Sanitize())
				return err
			},
			Expire: func(ctx context.Context, ids ...string) error {
				// As the relay does: a reader in SERIALIZABLE could make a writer's
				// transaction fail, which has to be repeated then.
				return pgx.BeginTxFunc(ctx, pool, pgx.TxOptions{IsoLevel: pgx.ReadCommitted}, func(tx pgx.Tx) error {
					_, err := tx.Exec(ctx, "UPDATE "+schema+`.outbox_event SET locked_until = '2000-01-01'
						WHERE locked_until IS NOT NULL AND event_id = ANY ($1::text[])`, ids)
					return err
				})
			},
			LockRow: func(tb testing.TB, id string) (release func()) {
				return lockRow(tb, pool, "UPDATE "+schema+".outbox_event SET tenant_id = 'held' WHERE event_id = $1", id)
			},
			LockKept: func(tb testing.TB, p storetest.Power, id string) (release func()) {
				return lockRow(tb, pool, locktest.KeptRow(schema+".", p, id))
			},
			Exec: func(ctx context.Context, query string) error {
				_, err := pool.Exec(ctx, query)
				return err
			},
			Table: schema + ".outbox_event",
			TimeLiteral: func(at time.Time) string {
				return "'" + at.UTC().Format("2006-01-02 15:04:05.000000") + "+00'"
			},
			Down: func(t testing.TB) storetest.Store[pgx.Tx] {
				return openStore(t, openPool(t, "postgres://nobody@127.0.0.1:1/none", mode), config)
			},
			NoSchema: func(t testing.TB) storetest.Store[pgx.Tx] {
				return openStore(t, pool, pgxstore.Config{Tables: pgstore.Tables{Schema: "missing"}})
			},
		}
		addTrouble(&s, pool, address, mode, config)
		return s
	}
}
