package gorm_test

import (
	"context"
	"database/sql"
	"testing"

	"github.com/libtnb/sqlite"
	"go.uber.org/goleak"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/examples/internal/savepoint"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

func TestMain(m *testing.M) {
	// GORM's cache of prepared statements keeps a goroutine for good.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("gorm.io/gorm/internal/lru.NewLRU[...].func1"))
}

func onSQLite(db *sql.DB) gorm.Dialector   { return sqlite.New(sqlite.Config{Conn: db}) }
func onPostgres(db *sql.DB) gorm.Dialector { return postgres.New(postgres.Config{Conn: db}) }

func TestNestedTransactionsOnSQLite(t *testing.T) {
	savepoint.OnSQLite(t, subject(onSQLite, gorm.Config{}))
}

func TestNestedTransactionsOnPostgres(t *testing.T) {
	savepoint.OnPostgres(t, subject(onPostgres, gorm.Config{}))
}

func TestNestedTransactionsWithPreparedStatementsOnSQLite(t *testing.T) {
	savepoint.OnSQLite(t, subject(onSQLite, gorm.Config{PrepareStmt: true}))
}

func TestNestedTransactionsWithPreparedStatementsOnPostgres(t *testing.T) {
	savepoint.OnPostgres(t, subject(onPostgres, gorm.Config{PrepareStmt: true}))
}

func subject(dialect func(*sql.DB) gorm.Dialector, config gorm.Config) savepoint.Open {
	return func(t *testing.T, sqlDB *sql.DB, store *sqlstore.Store) savepoint.Subject {
		db, err := gorm.Open(dialect(sqlDB), &config)
		if err != nil {
			t.Fatal(err)
		}
		return savepoint.Subject{
			Store: store,
			InTx: func(ctx context.Context, hot outbox.WriterOption, fn func(savepoint.Tx) error) error {
				w := outbox.NewWriter(store.ORM(), hot)
				ctx, done := w.Track(ctx)
				return done(db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
					return fn(nested(ctx, w, tx))
				}))
			},
		}
	}
}

func nested(ctx context.Context, w *outbox.Writer[sqlstore.Tx], tx *gorm.DB) savepoint.Tx {
	return savepoint.Tx{
		Write: func(e outbox.Event) error {
			_, err := w.Write(ctx, txOf(tx), e)
			return err
		},
		Nested: func(fn func(savepoint.Tx) error) error {
			return tx.Transaction(func(tx *gorm.DB) error { return fn(nested(ctx, w, tx)) })
		},
	}
}
