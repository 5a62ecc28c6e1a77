package dialecttest

import (
	"errors"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

func oddNames(t *testing.T, s Subject) {
	db := s.Fresh(t)()
	roundTrip(t, migrated(t, s, db, sqlstore.Tables{
		Event: "order", DeadLetter: "Select", DeadGroup: "By", Control: "0", Instance: "_", Consumed: "Having", Audit: "Grant", Alert: "Check", Job: "Table", Destination: "Where", Version: "Group_123456789012345678901234567890123456789012",
	}))
}

func twoOutboxes(t *testing.T, s Subject) {
	db := s.Fresh(t)()
	one := migrated(t, s, db, sqlstore.Tables{})
	two := migrated(t, s, db, sqlstore.Tables{
		Event: "two_event", DeadLetter: "two_dlq", DeadGroup: "two_group", Control: "two_control", Instance: "two_instance", Consumed: "two_consumed", Audit: "two_audit", Alert: "two_alert", Job: "two_job", Destination: "two_destination", Version: "two_schema",
	})
	write(t, one, event())
	if cs := claim(t, two); len(cs) != 0 {
		t.Errorf("the second outbox has %d events of the first", len(cs))
	}
	must(t, one.Announce(t.Context(), driver.Instance{Owner: owner}))
	must(t, one.SetPaused(t.Context(), driver.PausableLane("*"), true, "ann"))
	must(t, one.SetPaused(t.Context(), driver.PausableDestination("x"), true, "ann"))
	running, err := two.Instances(t.Context())
	must(t, err)
	paused, err := two.Paused(t.Context())
	must(t, err)
	entries, _, err := two.ListAudit(t.Context(), driver.AuditFilter{}, 0, 10)
	must(t, err)
	if len(running)+len(paused)+len(entries) != 0 {
		t.Errorf("the second outbox sees %v, %v and %v of the first", running, paused, entries)
	}
	record(t, one, "a")
	if fresh := record(t, two, "a"); !fresh {
		t.Error("the second outbox has what a consumer of the first has had")
	}
	roundTrip(t, two)
	must(t, two.MigrateDown(t.Context(), 100))
	if cs := claim(t, one); len(cs) != 1 {
		t.Errorf("the first outbox has %d events after the second was dropped, expected 1", len(cs))
	}
}

func ownSchema(t *testing.T, s Subject) {
	db := s.Fresh(t)()
	exec(t, db, `CREATE SCHEMA ops`, `CREATE SCHEMA "Graves"`)
	store := migrated(t, s, db, sqlstore.Tables{Schema: "ops", DeadLetter: "Graves.letters"})
	roundTrip(t, store)
	exec(t, db, "SELECT seq FROM ops.outbox_event", `SELECT seq FROM "Graves".letters`)
}

// noSchema expects a migration to say which schema is missing, and how to
// create it.
func noSchema(t *testing.T, s Subject) {
	db := s.Fresh(t)()
	store := newStore(t, s, db, sqlstore.Tables{Schema: "ob_nowhere"})
	err := store.Migrate(t.Context())
	if !errors.Is(err, outbox.ErrSchema) || !strings.Contains(err.Error(), "CREATE SCHEMA "+s.Dialect.Quote("ob_nowhere")) {
		t.Errorf("error %v, expected the statement that makes the schema", err)
	}
	if err != nil && strings.Contains(err.Error(), "outbox migrate up") {
		t.Errorf("%v: that is what failed", err)
	}
}
