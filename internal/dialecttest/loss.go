package dialecttest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// losses expects each step down to report the data in its own tables that is
// still needed.
func losses(t *testing.T, s Subject) {
	db := s.Fresh(t)()
	store := newStore(t, s, db, sqlstore.Tables{})
	expect := func(steps int, want ...string) {
		t.Helper()
		found, err := store.MigrateDownLosses(t.Context(), steps)
		must(t, err)
		got := []string{}
		for _, l := range found {
			got = append(got, fmt.Sprintf("version %d: %s", l.Version, l))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d steps would lose %q, expected %q", steps, got, want)
		}
	}
	expect(100) // no tables yet
	must(t, store.Migrate(t.Context()))
	expect(100)

	const (
		audit   = "version 3: 1 entry of the audit log"
		ledger  = "version 2: 1 id of a consumed event, which takes effect again if it is delivered again"
		waiting = "version 1: 1 event that nobody has received"
		dead    = "version 1: 1 open dead letter"
	)
	above := stepsAbove(t, store, 3) // steps that lose none of these
	write(t, store, event(), event(), event())
	cs := claim(t, store)
	settle(t, store, driver.Done, cs[0])
	settle(t, store, driver.Dead, cs[1])
	expect(above + 2) // which leaves all of these alone
	expect(100, waiting, dead)
	record(t, store, cs[0].EventID)
	expect(above + 1)
	expect(above+2, ledger)
	expect(100, ledger, waiting, dead)
	must(t, store.SetPaused(t.Context(), driver.PausableLane(lane), true, "ann"))
	expect(above+1, audit)
	expect(above+2, audit, ledger)
	must(t, store.MigrateDown(t.Context(), above+1))

	exec(t, db, "UPDATE outbox_event SET status = 3 WHERE event_id = '"+cs[2].EventID+"'")
	expect(100, ledger, waiting, dead) // marked by another program, and not moved yet
	_, err := store.ResolveDead(t.Context(), driver.DeadIDs(cs[1].EventID))
	must(t, err)
	exec(t, db, "DELETE FROM outbox_event")
	expect(100, ledger)
	must(t, store.MigrateDown(t.Context(), 1))
	expect(100)
}
