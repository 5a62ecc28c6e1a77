package dialecttest

import (
	"errors"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// adoptionRefused expects a dialect that can adopt no table to say so, and what
// to do.
func adoptionRefused(t *testing.T, s Subject) {
	db := s.Fresh(t)()
	exec(t, db, foreignTable(), foreignRow())
	store := newStore(t, s, db, sqlstore.Tables{})
	plan, err := store.Adoption(t.Context())
	if err != nil || plan == nil || len(plan.Obstacles) == 0 {
		t.Errorf("%+v, error %v: expected to be told beforehand", plan, err)
	}
	err = store.Migrate(t.Context())
	if !errors.Is(err, outbox.ErrSchema) || !strings.Contains(err.Error(), "rename it") {
		t.Fatalf("error %v, expected a refusal", err)
	}
	if n := count(t, db, "outbox_event"); n != 1 {
		t.Errorf("the table has %d rows, expected its one", n)
	}
	exec(t, db, "ALTER TABLE outbox_event RENAME TO outbox_event_old")
	must(t, store.Migrate(t.Context()))
	roundTrip(t, store)
}
