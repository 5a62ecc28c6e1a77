package mysqlstore_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/testenv"
)

// The letters are of 5 types, 5 tenants and 5 groups: so many match each filter
// that the optimizer prefers to read all letters, latest first.
const letters = `INSERT INTO outbox_dlq_event (event_id, seq, event_type, aggregate_id, tenant_id, payload, attempts, created_at, died_at, claim_no, group_id)
SELECT CONCAT('e', n), n, CONCAT('type-', n %% 5), CONCAT('key-', n %% 5), CONCAT('tenant-', n %% 5), '{}', 1, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6) - INTERVAL n SECOND, 1, CONCAT('group-', n %% 5)
FROM (SELECT a.n + 10 * b.n + 100 * c.n + 1000 * d.n + 10000 * e.n AS n FROM %[1]s a, %[1]s b, %[1]s c, %[1]s d, %[1]s e) numbers WHERE n < 50000`

// A sweep reads no letter that it leaves, and finds those that it deletes by their key, so that it locks no others.
func TestASweepOfLettersReadsNoOthers(t *testing.T) {
	onEach(t, func(t *testing.T, server string) {
		db := openDB(t, with(t, testenv.Database(t, server), "interpolateParams", "true"))
		store := migrated(t, db)
		db.SetMaxOpenConns(1) // counters are the session's
		exec(t, db, fmt.Sprintf(letters, digits))
		exec(t, db, "UPDATE outbox_dlq_event SET resolved_at = died_at WHERE seq % 2 = 0")
		for _, statistics := range []string{"none", "the latest"} {
			t.Run(statistics+" statistics", func(t *testing.T) {
				const rows = 500
				before := counter(t, db)
				if n, err := store.SweepDead(t.Context(), 0, rows); err != nil || n != rows {
					t.Fatalf("swept %d letters, error %v", n, err)
				}
				if n := counter(t, db) - before; n > 12*rows {
					t.Errorf("read %d rows to sweep %d letters", n, rows)
				}
				checkAll(t, db, []planned{
					{"dlq_sweep_which", []any{0, rows}, "d outbox_dlq_event_resolved", 2 * rows},
					{"dlq_free", []any{`[["e49999", 49999]]`}, "d PRIMARY", 10},
					{"dlq_sweep", []any{`[["e49998", 49998]]`, 0}, "d PRIMARY", 10},
				})
			})
			exec(t, db, "ANALYZE TABLE outbox_dlq_event")
		}
	})
}

func TestALatePageOfLettersReadsNoEarlierOnes(t *testing.T) {
	onEach(t, func(t *testing.T, server string) {
		db := openDB(t, with(t, testenv.Database(t, server), "interpolateParams", "true"))
		store := migrated(t, db)
		db.SetMaxOpenConns(1) // counters are the session's
		exec(t, db, fmt.Sprintf(letters, digits))
		exec(t, db, "ANALYZE TABLE outbox_dlq_event")
		for name, f := range map[string]driver.DeadFilter{
			"all":    {},
			"type":   {Lane: "type-1"},
			"tenant": {Tenant: "tenant-1"},
			"key":    {Key: "key-1"},
			"group":  {Group: "group-1"},
		} {
			t.Run(name, func(t *testing.T) {
				const rows = 1000
				f.DiedBefore = time.Now().Add(time.Hour) // as a job has it
				var after *driver.DeadCursor
				for range 4 {
					before := counter(t, db)
					page, next, err := store.ListDead(t.Context(), f, after, rows)
					if err != nil || len(page) != rows {
						t.Fatalf("%d letters, error %v", len(page), err)
					}
					if n := counter(t, db) - before; n > 6*rows {
						t.Fatalf("read %d rows for a page of %d", n, rows)
					}
					after = next
				}
			})
		}
	})
}
