package dialecttest

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/store/sqlstore"
)

// adoptionPlan expects a plan of what adopting a table means, before anything
// is changed.
func adoptionPlan(t *testing.T, s Subject) {
	db := s.Fresh(t)()
	store := newStore(t, s, db, sqlstore.Tables{})
	none := func() {
		t.Helper()
		if plan, err := store.Adoption(t.Context()); err != nil || plan != nil {
			t.Errorf("%+v, error %v: expected nothing to adopt", plan, err)
		}
	}
	none() // no tables yet
	exec(t, db, s.Adoptions[0].Make...)
	const rows = 2000
	var values []string
	for i := range rows {
		values = append(values, fmt.Sprintf("('%d', 'OrderPlaced', '{}', 1, '2024-02-29', '2024-02-29')", i))
	}
	exec(t, db, "INSERT INTO outbox_event (event_id, event_type, payload, status, available_at, created_at) VALUES "+strings.Join(values, ","),
		cmp.Or(s.Analyze, "ANALYZE outbox_event"))
	plan, err := store.Adoption(t.Context())
	must(t, err)
	if plan == nil || plan.Table != "outbox_event" || plan.Locked == "" || plan.Time <= 0 || len(plan.Obstacles) > 0 {
		t.Fatalf("%+v: expected a plan", plan)
	}
	if plan.Rows < rows/2 || plan.Rows > rows*2 {
		t.Errorf("%d rows, expected about %d", plan.Rows, rows)
	}
	must(t, store.Migrate(t.Context()))
	none()

	other := newStore(t, s, db, sqlstore.Tables{Event: "other_event", Version: "other_schema"})
	exec(t, db, "CREATE TABLE other_event (n INTEGER)")
	plan, err = other.Adoption(t.Context())
	must(t, err)
	if plan == nil || len(plan.Obstacles) == 0 {
		t.Errorf("%+v: expected obstacles", plan)
	}
}
