package pgstore_test

import (
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/pgstore"
)

// A statement takes no more rows than asked for, whatever the plan. A limit in
// a subquery that runs again for each row of a join finds other rows each time,
// since the first ones are gone. The planner chooses such a join if statistics
// say that there is one row.
func TestALimitHoldsWithAnyPlan(t *testing.T) {
	for _, server := range []string{testenv.Postgres15, testenv.Postgres18} {
		t.Run(server, func(t *testing.T) {
			db := openDB(t, testenv.Database(t, server))
			migrated(t, db)
			exec(t, db, `INSERT INTO outbox_dlq_event (event_id, seq, event_type, payload, attempts, claim_no, occurred_at, created_at, resolved_at)
				SELECT 'letter-' || i, i, 'T', '{}', 1, 1, now(), now(), now() FROM generate_series(1, 9) i`)
			exec(t, db, `INSERT INTO outbox_event (event_id, event_type, payload, status, done_at)
				SELECT 'done-' || i, 'T', '{}', 1, now() FROM generate_series(1, 9) i`)
			exec(t, db, `INSERT INTO outbox_event (event_id, event_type, payload, status)
				SELECT 'dead-' || i, 'T', '{}', 3 FROM generate_series(1, 9) i`)
			exec(t, db, `INSERT INTO outbox_event (event_id, event_type, payload)
				SELECT 'pending-' || i, 'T', '{}' FROM generate_series(1, 9) i`)
			exec(t, db, `INSERT INTO outbox_consumed_event (consumer_group, event_id)
				SELECT 'g', 'consumed-' || i FROM generate_series(1, 9) i`)
			exec(t, db, `ANALYZE outbox_dlq_event, outbox_event, outbox_consumed_event`)
			q, err := pgstore.Resolve(pgstore.Tables{})
			if err != nil {
				t.Fatal(err)
			}
			for _, tt := range []struct {
				name, query string
				args        []any
			}{
				{"claim", q.Claim.SQL, []any{`{T}`, `{2}`, `{0}`, `{-infinity}`, `{0}`, "a", int64(1_000_000), int64(0)}},
				{"claim by place", q.ClaimPlaced.SQL, []any{`{T}`, `{2}`, `{0}`, `{-infinity}`, `{0}`, "a", int64(1_000_000), int64(0)}},
				{"sweep", q.Sweep.SQL, []any{int64(0), 2}},
				{"expiry", q.Expire.SQL, []any{int64(0), 2}},
				{"sweep of foreign dead", q.ForeignDead.SQL, []any{2}},
				{"sweep of letters", q.DeadSweep.SQL, []any{int64(0), 2}},
				{"forget", q.LedgerForget.SQL, []any{"g", int64(0), 2}},
			} {
				for _, off := range []string{"", "hashjoin", "hashjoin mergejoin", "hashjoin mergejoin seqscan",
					"hashjoin mergejoin hashagg sort material", "nestloop", "nestloop hashjoin"} {
					t.Run(tt.name+"/without "+off, func(t *testing.T) {
						tx, err := db.BeginTx(t.Context(), nil)
						if err != nil {
							t.Fatal(err)
						}
						defer func() { _ = tx.Rollback() }() // leave the rows for the next plan
						for method := range strings.FieldsSeq(off) {
							if _, err := tx.ExecContext(t.Context(), "SET LOCAL enable_"+method+" = off"); err != nil {
								t.Fatal(err)
							}
						}
						result, err := tx.ExecContext(t.Context(), tt.query, tt.args...)
						if err != nil {
							t.Fatal(err)
						}
						if n, err := result.RowsAffected(); err != nil || n != 2 {
							t.Errorf("%d rows (%v), expected the 2 that were asked for", n, err)
						}
					})
				}
			}
		})
	}
}
