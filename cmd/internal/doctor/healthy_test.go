package doctor_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/cmd/internal/doctor"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// Every check runs on every server, through every driver and with other names.
func TestAHealthyOutboxHasNoFindings(t *testing.T) {
	renamed := sqlstore.Tables{Event: "My_event", DeadLetter: "My_dead", Control: "My_control", Instance: "My_instance", Consumed: "My_consumed", Audit: "My_audit", Destination: "My_destination", Version: "My_version"}
	for _, c := range []struct {
		name, server string
		o            dburl.Options
	}{
		{"postgres pgx", testenv.Postgres15, dburl.Options{}},
		{"postgres sql", testenv.Postgres15, dburl.Options{Driver: "sql"}},
		{"postgres renamed", testenv.Postgres15, dburl.Options{Tables: renamed}},
		{"mysql", testenv.MySQL80, dburl.Options{}},
		{"mysql renamed", testenv.MySQL80, dburl.Options{Tables: renamed}},
		{"mariadb", testenv.MariaDB, dburl.Options{}},
		{"mariadb renamed", testenv.MariaDB, dburl.Options{Tables: renamed}},
		{"tidb", testenv.TiDB, dburl.Options{}},
		{"tidb renamed", testenv.TiDB, dburl.Options{Tables: renamed}},
		{"sqlite", testenv.SQLite, dburl.Options{}},
		{"sqlite renamed", testenv.SQLite, dburl.Options{Tables: renamed}},
	} {
		t.Run(c.name, func(t *testing.T) {
			db := open(t, address(t, c.server), c.o)
			if err := db.Schema.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := db.Store.Announce(t.Context(), driver.Instance{Owner: "relay/1", Version: "1", Lanes: []string{"order-placed"}}); err != nil {
				t.Fatal(err)
			}
			for _, role := range append(slices.Sorted(maps.Keys(doctor.Tasks)), doctor.Roles...) {
				d := doctor.NewDatabase(db, doctor.Options{Parts: []string{role}})
				for _, f := range doctor.Run(t.Context(), append(d.Server(), d.Tables()...), patience, d.Width()) {
					if f.State == doctor.OK || f.State == doctor.Skipped && (c.server == testenv.SQLite || c.server == testenv.TiDB && notAsked[f.Check]) {
						continue
					}
					// The test servers are fast and forgetful.
					if f.Check == "settings" && f.State == doctor.Warning {
						continue
					}
					t.Errorf("%s for a %s is %s: %s", f.Check, role, f.State, f.Seen)
				}
			}
		})
	}
}

// notAsked are the checks that TiDB has no answers to.
var notAsked = map[string]bool{"bloat": true, "long-transactions": true, "locks": true}

func TestALocalTimeZoneOfTiDBIsAWarning(t *testing.T) {
	db := open(t, with(address(t, testenv.TiDB), "time_zone=%27%2B08%3A00%27"), dburl.Options{})
	if err := db.Schema.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	wants(t, db, "settings", doctor.Options{}, doctor.Warning, "time_zone")
}

func TestMissingTablesAreAFailure(t *testing.T) {
	for _, server := range servers {
		t.Run(server, func(t *testing.T) {
			db := open(t, address(t, server), dburl.Options{})
			wants(t, db, "schema", doctor.Options{}, doctor.Failure, "do not exist")
			wants(t, db, "version", doctor.Options{}, doctor.OK, "")
			if err := db.Schema.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := db.Schema.MigrateDown(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
			wants(t, db, "schema", doctor.Options{}, doctor.Failure, "1 migration is not applied")
		})
	}
}
