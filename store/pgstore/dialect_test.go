package pgstore_test

import (
	"database/sql"
	"testing"

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
		Schemas:   true,
		Adoptions: dialecttest.PostgresAdoptions(),
	})
}

// A moment without a zone is UTC, whatever the session's zone is.
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
