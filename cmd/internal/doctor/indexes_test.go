package doctor_test

import (
	"os"
	"path/filepath"
	"regexp"
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

func TestTheIndexOfFairClaimsIsLookedForWhereItIsNeeded(t *testing.T) {
	onEach(t, servers, func(t *testing.T, db *dburl.Handle, _ string) {
		fair := doctor.Options{Limits: doctor.Limits{Fair: true}}
		wants(t, db, "indexes", doctor.Options{}, doctor.OK, "")
		if f := wants(t, db, "indexes", fair, doctor.Failure, "fair-by-tenant"); !strings.Contains(f.Do, "--fair") {
			t.Errorf("the advice is %q", f.Do)
		}
		if err := db.Store.PrepareFair(t.Context()); err != nil {
			t.Fatal(err)
		}
		wants(t, db, "indexes", fair, doctor.OK, "fair claims")
	})
}

func TestAnIndexOfAHiddenTableIsNotMissed(t *testing.T) {
	onEach(t, three, func(t *testing.T, db *dburl.Handle, at string) {
		wants(t, limited(t, db, at, "outbox_event"), "indexes", doctor.Options{}, doctor.OK, "")
	})
}

// made finds an index in a migration: its name, and what it is on.
var made = map[string]*regexp.Regexp{
	"postgres": regexp.MustCompile(`CREATE INDEX IF NOT EXISTS (\w+) (ON [^;]*);`),
	"sqlite":   regexp.MustCompile(`CREATE INDEX IF NOT EXISTS (\w+) (ON [^;]*);`),
	"mysql":    regexp.MustCompile(`KEY (outbox_\w+) (\([^)]*\))`),
}

func TestTheDoctorKnowsEveryIndexOfTheMigrations(t *testing.T) {
	for dialect, folder := range map[string]string{"postgres": "pgstore", "sqlite": "sqlitestore", "mysql": "mysqlstore"} {
		files, err := filepath.Glob("../../../store/" + folder + "/migrations/0*.up.sql")
		if err != nil {
			t.Fatal(err)
		}
		known := read(t, filepath.Join("sql", dialect, "indexes.sql"))
		indexes := map[string]string{} // as the last migration makes them
		for _, file := range files {
			for _, index := range made[dialect].FindAllStringSubmatch(read(t, file), -1) {
				indexes[index[1]] = index[2]
			}
		}
		for name, on := range indexes {
			if want := name + " " + strings.ReplaceAll(on, "'", "''") + "'"; !strings.Contains(known, want) {
				t.Errorf("%s: %s is not looked for", dialect, want)
			}
		}
		if len(indexes) < 10 {
			t.Errorf("%s: %d indexes found in %v", dialect, len(indexes), files)
		}
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
