package pgstore_test

import (
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/pgstore"
)

// A page of groups asks for a letter of each of its own: to join all groups with all
// letters, as the planner likes to before it has seen them, takes longer the more
// letters there are.
func TestAPageOfGroupsReadsNoLettersOfOthers(t *testing.T) {
	for _, server := range []string{testenv.Postgres15, testenv.Postgres18} {
		t.Run(server, func(t *testing.T) {
			db := openDB(t, testenv.Database(t, server))
			migrated(t, db)
			exec(t, db, `ALTER TABLE outbox_dlq_event SET (autovacuum_enabled = off)`)
			exec(t, db, `ALTER TABLE outbox_dlq_group SET (autovacuum_enabled = off)`)
			exec(t, db, `INSERT INTO outbox_dlq_group (group_id, event_type, destination, reason, last_at)
				SELECT 'g' || i, 'T', 'nats', 'refused', now() - i * interval '1 second' FROM generate_series(0, 19) i`)
			exec(t, db, `INSERT INTO outbox_dlq_event (event_id, seq, event_type, payload, attempts, created_at, claim_no, group_id)
				SELECT 'e' || i, i, 'T', '{}', 1, now(), 1, 'g' || i % 19 FROM generate_series(1, 50000) i`) // none of the last group
			check := func(t *testing.T) {
				q := testenv.Must(pgstore.Resolve(pgstore.Tables{}))
				for _, lane := range []string{"", "T"} {
					plan := explain(t, db, q.GroupList.SQL, []any{lane, "", "", "", "", nil, nil, nil, nil, nil, nil, int64(51)})
					if n := buffers(plan); n > 400 || !strings.Contains(plan, "outbox_dlq_event_group") {
						t.Errorf("touches %d buffers to look at 20 groups:\n%s", n, plan)
					}
				}
			}
			t.Run("without statistics", check)
			exec(t, db, `ANALYZE outbox_dlq_event, outbox_dlq_group`)
			t.Run("with the latest statistics", check)
		})
	}
}
