package pgstore_test

import (
	"database/sql"
	"errors"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/dialecttest"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/pgstore"
)

func TestDialectOnPostgres15(t *testing.T) { testDialect(t, testenv.Postgres15) }

func TestDialectOnPostgres18(t *testing.T) { testDialect(t, testenv.Postgres18) }

func TestDialectThroughPgBouncer(t *testing.T) {
	testDialect(t, testenv.PgBouncer, "default_query_exec_mode", "exec")
}

func testDialect(t *testing.T, server string, parameters ...string) {
	dialecttest.Run(t, dialecttest.Subject{
		Dialect: pgstore.Dialect(),
		Fresh: func(t testing.TB) func() *sql.DB {
			address := with(t, testenv.Database(t, server), parameters...)
			return func() *sql.DB { return openDB(t, address) }
		},
		Schemas:     true,
		Bytes:       "BYTEA",
		Adoptions:   dialecttest.PostgresAdoptions(),
		Unkept:      dialecttest.PostgresUnkept(),
		Kept:        dialecttest.PostgresKept(),
		OwnTriggers: dialecttest.PostgresTriggers(), IndexesShareNames: true,
	})
}

// A time without a zone is UTC, whatever the session's zone is.
func TestAdoptionInAnotherTimeZone(t *testing.T) {
	dialecttest.RunAdoptions(t, dialecttest.Subject{
		Dialect: pgstore.Dialect(),
		Fresh: func(t testing.TB) func() *sql.DB {
			address := with(t, testenv.Database(t, testenv.Postgres15), "timezone", "Asia/Karachi")
			return func() *sql.DB { return openDB(t, address) }
		},
		Adoptions: dialecttest.PostgresAdoptions(),
	})
}

func TestAViewOfChangingColumnsKeepsATableFromBeingAdopted(t *testing.T) {
	for name, columns := range map[string]string{"a column that always changes": "event_id, available_at", "a column of another type": "trace_id"} {
		t.Run(name, func(t *testing.T) {
			db := openDB(t, testenv.Database(t, testenv.Postgres15))
			for _, s := range dialecttest.PostgresAdoptions()[0].Make {
				exec(t, db, s)
			}
			exec(t, db, "ALTER TABLE outbox_event ADD COLUMN trace_id uuid")
			exec(t, db, "CREATE VIEW due AS SELECT "+columns+" FROM outbox_event")
			exec(t, db, "CREATE VIEW tenants AS SELECT tenant_id, last_error FROM outbox_event") // as ours are
			err := testenv.Must(pgstore.New(db, dialecttest.Unhurried())).Migrate(t.Context())
			if !errors.Is(err, outbox.ErrSchema) || !strings.Contains(err.Error(), "view due uses columns whose types change: drop it") {
				t.Errorf("error %v, expected one about the view", err)
			}
			exec(t, db, "DROP VIEW due")
			if err := testenv.Must(pgstore.New(db, dialecttest.Unhurried())).Migrate(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}
