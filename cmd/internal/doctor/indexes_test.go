package doctor_test

import (
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/cmd/internal/doctor"
	"github.com/sendoff-go/outbox/internal/testenv"
)

var dropPending = map[string]string{
	"PostgreSQL": "DROP INDEX outbox_event_pending",
	"MySQL":      "ALTER TABLE outbox_event DROP INDEX outbox_event_pending",
	"SQLite":     "DROP INDEX outbox_event_pending",
}

// lenient is a connection that may ALTER a table: MySQL 8.0.15 refuses the
// defaults of ours while sql_mode has NO_ZERO_DATE.
func lenient(t *testing.T, db *dburl.Handle, at string) *dburl.Handle {
	t.Helper()
	if db.Dialect().Name != "MySQL" {
		return db
	}
	return open(t, with(at, "sql_mode=%27STRICT_ALL_TABLES%27"), dburl.Options{})
}

func TestADroppedIndexIsFoundAndCanBeMadeAgain(t *testing.T) {
	onEach(t, servers, func(t *testing.T, db *dburl.Handle, at string) {
		ddl := lenient(t, db, at)
		exec(t, ddl, dropPending[db.Dialect().Name])
		f := wants(t, db, "indexes", doctor.Options{}, doctor.Failure, "outbox_event_pending is missing")
		statement, ok := strings.CutPrefix(f.Do, "create it: ")
		if !ok {
			t.Fatalf("the advice is %q", f.Do)
		}
		exec(t, ddl, statement)
		wants(t, db, "indexes", doctor.Options{}, doctor.OK, "")
		wants(t, db, "claim-plan", doctor.Options{}, doctor.OK, "uses outbox_event_pending")
	})
}

func TestAClaimWithoutItsIndexIsFound(t *testing.T) {
	for server, want := range map[string]doctor.State{
		testenv.Postgres15: doctor.Warning, testenv.SQLite: doctor.Warning,
		testenv.MySQL80: doctor.Failure, testenv.MariaDB: doctor.Failure, // they refuse the claim
	} {
		t.Run(server, func(t *testing.T) {
			db, at := migrated(t, server)
			exec(t, lenient(t, db, at), dropPending[db.Dialect().Name])
			exec(t, db, insert+strings.Repeat(", ('order-placed', '{}')", 1500))
			if server == testenv.Postgres15 {
				exec(t, db, "ANALYZE outbox_event")
			}
			wants(t, db, "claim-plan", doctor.Options{}, want, "outbox_event_pending")
		})
	}
}

func TestAnInvalidIndexIsFound(t *testing.T) {
	db, _ := migrated(t, testenv.Postgres15)
	exec(t, db, "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'outbox_event_done'::regclass")
	wants(t, db, "indexes", doctor.Options{}, doctor.Failure, "outbox_event_done is invalid")
}
