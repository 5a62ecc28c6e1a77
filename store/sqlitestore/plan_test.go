package sqlitestore_test

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/sqlitestore"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// The cost of a claim and a settle depends on their batch alone, whatever else
// is in the table and whatever ANALYZE found before the latest burst.
func TestPlansDoNotDependOnTheTable(t *testing.T) {
	db := openDB(t, testenv.Database(t, testenv.SQLite))
	migrated(t, db)
	t.Run("without statistics", func(t *testing.T) { checkPlans(t, db) })
	const rows = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
		INSERT INTO outbox_event (event_type, payload, status, done_at) SELECT 'T', '{}', %d, 1 FROM n`
	exec(t, db, fmt.Sprintf(rows, 10_000, 1))
	exec(t, db, fmt.Sprintf(rows, 1, 0))
	exec(t, db, "ANALYZE")
	exec(t, db, fmt.Sprintf(rows, 2_000, 0))
	t.Run("with statistics from before", func(t *testing.T) { checkPlans(t, db) })
	exec(t, db, "ANALYZE")
	t.Run("with the latest statistics", func(t *testing.T) { checkPlans(t, db) })
}

// Fair claims use their index, and other statements keep using theirs.
func TestPlansOfFairClaims(t *testing.T) {
	db := openDB(t, testenv.Database(t, testenv.SQLite))
	if err := migrated(t, db).PrepareFair(t.Context()); err != nil {
		t.Fatal(err)
	}
	q := testenv.Must(sqlstore.Resolve(sqlitestore.Dialect(), sqlstore.Tables{})).Queries
	check := func(t *testing.T) {
		if plan, pending := explain(t, db, q.Claim.SQL, "T", 100, 0, 0, 0, "a", 1_000_000, 0), "outbox_event_pending (event_type=? AND available_at>? AND available_at<?)"; !strings.Contains(plan, pending) {
			t.Errorf("expected the rows of a lane to be found through %s:\n%s", pending, plan)
		}
		const index = "USING INDEX outbox_event_fair (event_type=? AND <expr>=? AND available_at>? AND available_at<?)"
		if plan := explain(t, db, q.ClaimTenant.SQL, "T", 100, 0, 0, 0, "a", 1_000_000, 0, "t"); !strings.Contains(plan, index) {
			t.Errorf("expected the rows to be found %s:\n%s", index, plan)
		}
		plan := explain(t, db, q.Tenants.SQL, "T", "", 10)
		if strings.Count(plan, "INDEX outbox_event_fair (event_type=? AND <expr>") != 3 || strings.Contains(plan, "outbox_event_pending") || strings.Contains(plan, "SCAN outbox_event") {
			t.Errorf("expected each tenant to be found through the index:\n%s", plan)
		}
	}
	t.Run("without statistics", check)
	exec(t, db, `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
		INSERT INTO outbox_event (event_type, payload, status, tenant_id, done_at) SELECT 'T', '{}', i % 2, iif(i % 1000 < 2, 't' || i, 'big'), 1 FROM n`)
	exec(t, db, "ANALYZE")
	t.Run("with statistics", check)
}

func checkPlans(t *testing.T, db *sql.DB) {
	r, err := sqlstore.Resolve(sqlitestore.Dialect(), sqlstore.Tables{})
	if err != nil {
		t.Fatal(err)
	}
	q := r.Queries
	const batch, lease = `[["a",1,1,2,1,0,"",""]]`, 1_000_000
	for _, tt := range []struct {
		name  string
		query sqlstore.Query
		args  []any
		index string
	}{
		{"claim", q.Claim, []any{"T", 100, 0, 0, 0, "a", lease, 0}, "USING INDEX outbox_event_pending (event_type=? AND available_at>? AND available_at<?)"},
		{"lanes", q.Lanes, []any{"", 10}, "USING INDEX outbox_event_pending (event_type>?)"},
		{"sweep", q.Sweep, []any{0, 100}, "USING COVERING INDEX outbox_event_done (done_at<?)"},
		{"take", q.Take, []any{batch, "a", lease}, ""},
		{"renew", q.Renew, []any{batch, "a", lease}, ""},
		{"confirm", q.Confirm, []any{batch}, ""},
		{"done", q.Done, []any{batch, "a"}, ""},
		{"done_delete", q.DoneDelete, []any{batch, "a"}, ""},
		{"retry", q.Retry, []any{batch, "a"}, ""},
		{"release", q.Release, []any{batch, "a"}, ""},
		{"dead_copy", q.DeadCopy, []any{batch, "a"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			plan := explain(t, db, tt.query.SQL, tt.args...)
			if tt.index == "" {
				tt.index = "USING INTEGER PRIMARY KEY (rowid=?)"
				if strings.Contains(plan, "outbox_event_pending") {
					t.Errorf("all pending rows are read:\n%s", plan)
				}
			}
			if !strings.Contains(plan, tt.index) || strings.Contains(plan, "SCAN outbox_event") || strings.Contains(plan, "SCAN e") {
				t.Errorf("expected the rows to be found %s:\n%s", tt.index, plan)
			}
		})
	}
}

func explain(t *testing.T, db *sql.DB, query string, args ...any) string {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }() // Err is asked
	var all strings.Builder
	for rows.Next() {
		var id, parent, unused int
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&all, detail)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all.String()
}
