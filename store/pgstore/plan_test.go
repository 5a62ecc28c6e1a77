package pgstore_test

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/pgstore"
)

// The cost of a claim and a settle depends on their batch alone, whatever else
// is in the table and whatever the planner believes about it. Statistics are
// worst after a quiet time: they say that nothing is pending when the next
// burst comes.
func TestPlansDoNotDependOnTheTable(t *testing.T) {
	for _, server := range []string{testenv.Postgres15, testenv.Postgres18} {
		t.Run(server, func(t *testing.T) {
			db := openDB(t, testenv.Database(t, server))
			migrated(t, db)
			exec(t, db, `ALTER TABLE outbox_event SET (autovacuum_enabled = off)`)
			exec(t, db, `INSERT INTO outbox_event (event_id, event_type, payload, status, done_at)
				SELECT 'done-' || i, 'T', '{}', 1, now() FROM generate_series(1, 100000) i`)
			exec(t, db, `ANALYZE outbox_event`)
			exec(t, db, `INSERT INTO outbox_event (event_id, event_type, payload, locked_by, claim_no)
				SELECT 'pending-' || i, 'T', '{}', 'a', 1 FROM generate_series(1, 20000) i`)
			t.Run("with statistics from before", func(t *testing.T) { checkPlans(t, db) })
			exec(t, db, `ANALYZE outbox_event`)
			t.Run("with the latest statistics", func(t *testing.T) { checkPlans(t, db) })
		})
	}
}

// Fair claims use their index, and no other statement does.
func TestPlansOfFairClaims(t *testing.T) {
	for _, server := range []string{testenv.Postgres15, testenv.Postgres18} {
		t.Run(server, func(t *testing.T) {
			db := openDB(t, testenv.Database(t, server))
			if err := migrated(t, db).PrepareFair(t.Context()); err != nil {
				t.Fatal(err)
			}
			exec(t, db, `ALTER TABLE outbox_event SET (autovacuum_enabled = off)`)
			exec(t, db, `INSERT INTO outbox_event (event_id, event_type, payload, status, done_at, tenant_id)
				SELECT 'done-' || i, 'T', '{}', 1, now(), 'tenant-' || i % 10 FROM generate_series(1, 100000) i`)
			exec(t, db, `ANALYZE outbox_event`)
			exec(t, db, `INSERT INTO outbox_event (event_id, event_type, payload, locked_by, claim_no, tenant_id)
				SELECT 'pending-' || i, 'T', '{}', 'a', 1, CASE WHEN i % 1000 = 0 THEN 'small-' || i ELSE 'big' END FROM generate_series(1, 20000) i`)
			t.Run("with statistics from before", func(t *testing.T) { checkFairPlans(t, db) })
			exec(t, db, `ANALYZE outbox_event`)
			t.Run("with the latest statistics", func(t *testing.T) { checkFairPlans(t, db) })
		})
	}
}

func checkFairPlans(t *testing.T, db *sql.DB) {
	q := testenv.Must(pgstore.Resolve(pgstore.Tables{}))
	const rows, lease = 500, int64(1_000_000)
	lanes := []any{`{T,U}`, `{500,10}`, `{0,0}`, `{-infinity,-infinity}`, `{0,0}`}
	checkAll(t, db, []planned{
		{"claim", q.Claim.SQL, append(slices.Clip(lanes), "b", lease, 0), "outbox_event_pending", 30 * rows},
		{"claim_placed", q.ClaimPlaced.SQL, append(slices.Clip(lanes), "b", lease, 0), "outbox_event_pending", 20 * rows},
		{"lanes", q.Lanes.SQL, []any{"", int64(10)}, "outbox_event_pending", 100},
		{"claim_tenant", q.ClaimTenant.SQL, []any{`{T,T,T}`, `{480,10,10}`, `{0,0,0}`, `{-infinity,-infinity,-infinity}`, `{0,0,0}`, `{big,small-1000,""}`, "b", lease, 0}, "outbox_event_fair", 30 * rows},
		{"claim_tenant_placed", q.ClaimTenantPlaced.SQL, []any{`{T,T,T}`, `{480,10,10}`, `{0,0,0}`, `{-infinity,-infinity,-infinity}`, `{0,0,0}`, `{big,small-1000,""}`, "b", lease, 0}, "outbox_event_fair", 20 * rows},
		{"tenants", q.Tenants.SQL, []any{"T", "", int64(64)}, "outbox_event_fair", 300},
	}, rows)
}

// planned is a statement, and what it may touch.
type planned struct {
	name  string
	query string
	args  []any
	index string
	// buffers bounds what the statement may touch: about ten for each row
	// that it writes, and no page for each row that it does not.
	buffers int
}

func checkPlans(t *testing.T, db *sql.DB) {
	q, err := pgstore.Resolve(pgstore.Tables{})
	if err != nil {
		t.Fatal(err)
	}
	const rows = 500
	ids, seqs, ones, kinds := batch(t, db, rows)
	places := placesOf(t, db, ids)
	const lease = int64(1_000_000)
	checkAll(t, db, []planned{
		{"claim", q.Claim.SQL, []any{`{T,U}`, `{500,10}`, `{0,0}`, `{-infinity,-infinity}`, `{0,0}`, "b", lease, 0}, "outbox_event_pending", 30 * rows},
		{"claim_placed", q.ClaimPlaced.SQL, []any{`{T,U}`, `{500,10}`, `{0,0}`, `{-infinity,-infinity}`, `{0,0}`, "b", lease, 0}, "outbox_event_pending", 20 * rows},
		{"done_placed", q.DonePlaced.SQL, []any{ids, seqs, ones, "a", places}, "Tid Scan", 30 * rows},
		{"done_delete_placed", q.DoneDeletePlaced.SQL, []any{ids, seqs, ones, "a", places}, "Tid Scan", 3 * rows},
		{"renew", q.Renew.SQL, []any{ids, seqs, ones, "a", lease}, "outbox_event_pkey", 30 * rows},
		{"done", q.Done.SQL, []any{ids, seqs, ones, "a"}, "outbox_event_pkey", 30 * rows},
		{"done_delete", q.DoneDelete.SQL, []any{ids, seqs, ones, "a"}, "outbox_event_pkey", 30 * rows},
		{"settle_rest", q.SettleRest.SQL, []any{ids, seqs, ones, kinds, ones, ones, ones, ones, "a"}, "outbox_event_pkey", 30 * rows},
		{"take", q.Take.SQL, []any{ids, seqs, "a", lease}, "outbox_event_pkey", 30 * rows},
		{"held", q.Held.SQL, []any{ids, seqs, ones, "a"}, "outbox_event_pkey", 30 * rows},
		{"held_free", q.HeldFree.SQL, []any{ids, seqs, ones, "a"}, "outbox_event_pkey", 30 * rows},
		{"confirm", q.Confirm.SQL, []any{ids, seqs}, "outbox_event_pkey", 30 * rows},
		{"sweep", q.Sweep.SQL, []any{int64(0), int64(rows)}, "outbox_event_done", 30 * rows},
		{"lanes", q.Lanes.SQL, []any{"", int64(10)}, "outbox_event_pending", 100},
	}, rows)
}

func checkAll(t *testing.T, db *sql.DB, all []planned, rows int) {
	for _, tt := range all {
		t.Run(tt.name, func(t *testing.T) {
			plan := explain(t, db, tt.query, tt.args)
			if !strings.Contains(plan, tt.index) || strings.Contains(plan, "Seq Scan on outbox_event") {
				t.Errorf("expected the rows to be found through %s:\n%s", tt.index, plan)
			}
			if tt.index == "outbox_event_pkey" && strings.Contains(plan, "outbox_event_pending") {
				t.Errorf("all pending rows are read to find %d:\n%s", rows, plan)
			}
			if n := buffers(plan); n > tt.buffers {
				t.Errorf("touches %d buffers, expected at most %d:\n%s", n, tt.buffers, plan)
			}
		})
	}
}

// batch returns pending rows as arrays: ids, seqs, ones and kinds.
func batch(t *testing.T, db *sql.DB, n int) (ids, seqs, ones, kinds string) {
	t.Helper()
	err := db.QueryRowContext(t.Context(), `SELECT array_agg(event_id)::text, array_agg(seq)::text, array_agg(1)::text,
		array_agg(2 + seq % 3)::text FROM (SELECT * FROM outbox_event WHERE status = 0 ORDER BY seq LIMIT $1::int) s`, n).Scan(&ids, &seqs, &ones, &kinds)
	if err != nil {
		t.Fatal(err)
	}
	return ids, seqs, ones, kinds
}

// placesOf returns the places of rows as an array.
func placesOf(t *testing.T, db *sql.DB, ids string) (places string) {
	t.Helper()
	if err := db.QueryRowContext(t.Context(), `SELECT array_agg(ctid)::text FROM outbox_event WHERE event_id = ANY ($1::text[])`, ids).Scan(&places); err != nil {
		t.Fatal(err)
	}
	return places
}

// explain runs a statement, rolls it back and returns its plan.
func explain(t *testing.T, db *sql.DB, query string, args []any) string {
	t.Helper()
	tx, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }() // keep nothing
	return lines(t, tx, "EXPLAIN (ANALYZE, BUFFERS, TIMING off) "+query, args)
}

func lines(t *testing.T, tx *sql.Tx, query string, args []any) string {
	t.Helper()
	rows, err := tx.QueryContext(t.Context(), query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }() // Err is checked
	var all strings.Builder
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&all, line)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// buffers is what the whole statement touched: its first line about buffers.
func buffers(plan string) (n int) {
	for line := range strings.Lines(plan) {
		if _, counts, found := strings.Cut(line, "Buffers: shared "); found {
			for field := range strings.FieldsSeq(counts) {
				var of int
				if _, err := fmt.Sscanf(field, "hit=%d", &of); err == nil {
					n += of
				}
				if _, err := fmt.Sscanf(field, "read=%d", &of); err == nil {
					n += of
				}
			}
			return n
		}
	}
	return n
}
