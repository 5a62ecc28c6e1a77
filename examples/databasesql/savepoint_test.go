package databasesql_test

import (
	"context"
	"database/sql"
	"fmt"
	"testing"

	"go.uber.org/goleak"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/examples/internal/savepoint"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestSavepointsOnSQLite(t *testing.T)   { savepoint.OnSQLite(t, subject) }
func TestSavepointsOnPostgres(t *testing.T) { savepoint.OnPostgres(t, subject) }

func subject(_ *testing.T, db *sql.DB, store *sqlstore.Store) savepoint.Subject {
	return savepoint.Subject{
		Store: store,
		InTx: func(ctx context.Context, hot outbox.WriterOption, fn func(savepoint.Tx) error) error {
			w := outbox.NewWriter(store, hot)
			ctx, done := w.Track(ctx)
			tx, err := db.BeginTx(ctx, nil)
			if err != nil {
				return err
			}
			if err := fn(nested(ctx, w, tx, 1)); err != nil {
				_ = tx.Rollback()
				_ = done(err)
				return err
			}
			return done(tx.Commit())
		},
	}
}

// nested is the transaction at that depth. database/sql has no nested
// transactions; libraries use savepoints like this.
func nested(ctx context.Context, w *outbox.Writer[*sql.Tx], tx *sql.Tx, depth int) savepoint.Tx {
	exec := func(format string) error {
		_, err := tx.ExecContext(ctx, fmt.Sprintf(format, depth))
		return err
	}
	return savepoint.Tx{
		Write: func(e outbox.Event) error {
			_, err := w.Write(ctx, tx, e)
			return err
		},
		Nested: func(fn func(savepoint.Tx) error) error {
			if err := exec("SAVEPOINT s%d"); err != nil {
				return err
			}
			if err := fn(nested(ctx, w, tx, depth+1)); err != nil {
				if undoErr := exec("ROLLBACK TO SAVEPOINT s%d"); undoErr != nil {
					return undoErr
				}
				return err
			}
			return exec("RELEASE SAVEPOINT s%d")
		},
	}
}
