package pgxstore_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sendoff-go/outbox/store/pgstore"
	"github.com/sendoff-go/outbox/store/pgxstore"
	"github.com/sendoff-go/outbox/storetest"
)

// subject opens stores in schemas of their own in one database, through pools
// in that mode: a schema is made much faster than a database.
func subject(address, mode string) storetest.Open[pgx.Tx] {
	var schemas atomic.Int64
	return func(t testing.TB) storetest.Subject[pgx.Tx] {
		schema := fmt.Sprintf("law_%d", schemas.Add(1))
		pool := openPool(t, address, mode)
		exec(t, pool, strings.ReplaceAll("CREATE SCHEMA law; CREATE TABLE law.business (n int)", "law", schema))
		config := pgxstore.Config{Tables: pgstore.Tables{Schema: schema}}
		store := openStore(t, pool, config)
		migrate(t, store)
		return storetest.Subject[pgx.Tx]{
			Store: store,
			Peer:  openStore(t, openPool(t, address, mode), config),
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
				_, err := pool.Exec(ctx, "UPDATE "+schema+`.outbox_event SET locked_until = '2000-01-01'
					WHERE locked_until IS NOT NULL AND event_id = ANY ($1::text[])`, ids)
				return err
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
	}
}
