package pgx_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/examples/internal/savepoint"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/pgxstore"
)

func TestNestedTransactions(t *testing.T) {
	pool, err := pgxpool.New(t.Context(), testenv.Database(t, testenv.Postgres15))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	store, err := pgxstore.New(pool, pgxstore.Config{StatementTimeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(store.Close)
	if err := store.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	savepoint.Run(t, func(t *testing.T) savepoint.Subject {
		if _, err := pool.Exec(t.Context(), "DELETE FROM outbox_event"); err != nil {
			t.Fatal(err)
		}
		return savepoint.Subject{
			Store: store,
			InTx: func(ctx context.Context, hot outbox.WriterOption, fn func(savepoint.Tx) error) error {
				w := outbox.NewWriter(store, hot)
				ctx, done := w.Track(ctx)
				return done(pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error { return fn(nested(ctx, w, tx)) }))
			},
		}
	})
}

func nested(ctx context.Context, w *outbox.Writer[pgx.Tx], tx pgx.Tx) savepoint.Tx {
	return savepoint.Tx{
		Write: func(e outbox.Event) error {
			_, err := w.Write(ctx, tx, e)
			return err
		},
		Nested: func(fn func(savepoint.Tx) error) error {
			return pgx.BeginFunc(ctx, tx, func(tx pgx.Tx) error { return fn(nested(ctx, w, tx)) })
		},
	}
}
