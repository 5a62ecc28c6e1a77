package dialecttest

import (
	"errors"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// adoptionNamesTakenIndex expects an error that names an index whose name the
// outbox needs, before anything is changed, even if names are quoted.
func adoptionNamesTakenIndex(t *testing.T, s Subject) {
	taken := map[string]string{"Shop_Event_pending": "Shop_Event"}
	if s.IndexesShareNames {
		taken["Shop_Event_done"] = "orders"
		taken["outbox_dlq_event_died"] = "orders"
		taken["outbox_consumed_event_age"] = "orders"
	}
	for index, table := range taken {
		t.Run(index+" of "+table, func(t *testing.T) {
			db, q := s.Fresh(t)(), s.Dialect.Quote
			exec(t, db, "CREATE TABLE orders (event_type VARCHAR(36))", strings.Replace(foreignTable(), "outbox_event", q("Shop_Event"), 1),
				"CREATE INDEX "+q(index)+" ON "+q(table)+" (event_type)")
			store := newStore(t, s, db, sqlstore.Tables{Event: "Shop_Event"})
			err := store.Migrate(t.Context())
			if !errors.Is(err, outbox.ErrSchema) || !strings.Contains(err.Error(), index) || !strings.Contains(err.Error(), "another") {
				t.Fatalf("error %v, expected ErrSchema with the name %s and what to do", err, index)
			}
			plan, err := store.Adoption(t.Context())
			must(t, err)
			if plan == nil || len(plan.Obstacles) != 1 {
				t.Errorf("%+v, expected one obstacle", plan)
			}
			drop := "DROP INDEX " + q(index)
			if !s.IndexesShareNames {
				drop += " ON " + q(table)
			}
			exec(t, db, drop)
			must(t, store.Migrate(t.Context()))
		})
	}
}
