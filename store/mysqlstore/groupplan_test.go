package mysqlstore_test

import (
	"fmt"
	"testing"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/testenv"
)

// A page of groups asks for a letter of each of its own, and so does a sweep: to join all groups with all
// letters, as some servers like to, takes longer the more letters there are.
func TestAPageAndASweepOfGroupsReadNoLettersOfOthers(t *testing.T) {
	const fill = ` FROM (SELECT a.n + 10 * b.n + 100 * c.n + 1000 * d.n AS n FROM %[1]s a, %[1]s b, %[1]s c, %[1]s d) numbers`
	onEach(t, func(t *testing.T, server string) {
		db := openDB(t, with(t, testenv.Database(t, server), "interpolateParams", "true"))
		store := migrated(t, db)
		db.SetMaxOpenConns(1) // counters are the session's
		exec(t, db, fmt.Sprintf(`INSERT INTO outbox_dlq_group (group_id, event_type, destination, reason, first_at, last_at)
			SELECT CONCAT('group-', n), 'T', 'nats', 'refused', UTC_TIMESTAMP(6), UTC_TIMESTAMP(6) - INTERVAL n SECOND`+fill, digits))
		exec(t, db, fmt.Sprintf(`INSERT INTO outbox_dlq_event (event_id, seq, event_type, payload, attempts, created_at, died_at, claim_no, group_id)
			SELECT CONCAT('e', n), n, 'T', '{}', 1, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6), 1, CONCAT('group-', n)`+fill, digits))
		for _, statistics := range []string{"none", "the latest"} {
			t.Run(statistics+" statistics", func(t *testing.T) {
				const rows, looked = 50, 2500
				var after *driver.GroupCursor
				for range 3 {
					before := counter(t, db)
					page, next, err := store.ListGroups(t.Context(), driver.GroupFilter{Lane: "T"}, after, rows)
					if err != nil || len(page) != rows {
						t.Fatalf("%d groups, error %v", len(page), err)
					}
					if n := counter(t, db) - before; n > looked+20*rows {
						t.Fatalf("read %d rows for a page of %d", n, rows)
					}
					after = next
				}
				exec(t, db, "UPDATE outbox_dlq_event SET resolved_at = UTC_TIMESTAMP(6) WHERE resolved_at IS NULL ORDER BY seq DESC LIMIT 60") // of the earliest groups
				before := counter(t, db)
				if n, err := store.SweepGroups(t.Context(), 0, rows); err != nil || n != rows {
					t.Fatalf("swept %d groups, error %v", n, err)
				}
				if n := counter(t, db) - before; n > 20*rows {
					t.Errorf("read %d rows to sweep %d groups", n, rows)
				}
				exec(t, db, "DELETE g FROM outbox_dlq_group g JOIN outbox_dlq_event d ON d.group_id = g.group_id WHERE d.resolved_at IS NOT NULL")
			})
			exec(t, db, "ANALYZE TABLE outbox_dlq_event, outbox_dlq_group")
		}
	})
}
