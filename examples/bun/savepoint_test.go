package bun_test

import (
	"context"
	"database/sql"
	"testing"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"
	"github.com/uptrace/bun/dialect/sqlitedialect"
	"go.uber.org/goleak"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/examples/internal/savepoint"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestNestedTransactionsOnSQLite(t *testing.T) {
	savepoint.OnSQLite(t, func(_ *testing.T, db *sql.DB, store *sqlstore.Store) savepoint.Subject {
		return subject(bun.NewDB(db, sqlitedialect.New()), store)
	})
}

func TestNestedTransactionsOnPostgres(t *testing.T) {
	savepoint.OnPostgres(t, func(_ *testing.T, db *sql.DB, store *sqlstore.Store) savepoint.Subject {
		return subject(bun.NewDB(db, pgdialect.New()), store)
	})
}

func subject(db *bun.DB, store *sqlstore.Store) savepoint.Subject {
	return savepoint.Subject{
		Store: store,
		InTx: func(ctx context.Context, hot outbox.WriterOption, fn func(savepoint.Tx) error) error {
			w := outbox.NewWriter(store, hot)
			ctx, done := w.Track(ctx)
			return done(db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
				return fn(nested(ctx, w, tx))
			}))
		},
	}
}

func nested(ctx context.Context, w *outbox.Writer[*sql.Tx], tx bun.Tx) savepoint.Tx {
	return savepoint.Tx{
		Write: func(e outbox.Event) error {
			_, err := w.Write(ctx, tx.Tx, e)
			return err
		},
		Nested: func(fn func(savepoint.Tx) error) error {
			return tx.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
				return fn(nested(ctx, w, tx))
			})
		},
	}
}
