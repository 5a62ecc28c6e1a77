package sqlitestore_test

import (
	"database/sql"
	"testing"

	"github.com/sendoff-go/outbox/internal/dialecttest"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/sqlitestore"
)

func TestDialect(t *testing.T) {
	dialecttest.Run(t, dialecttest.Subject{
		Dialect: sqlitestore.Dialect(),
		Fresh: func(t testing.TB) func() *sql.DB {
			path := testenv.Database(t, testenv.SQLite)
			return func() *sql.DB { return openDB(t, path) }
		},
		Adoptions:   dialecttest.SQLiteAdoptions(),
		Unkept:      dialecttest.SQLiteUnkept(),
		Kept:        dialecttest.SQLiteKept(),
		OwnTriggers: dialecttest.SQLiteTriggers(), IndexesShareNames: true,
	})
}
