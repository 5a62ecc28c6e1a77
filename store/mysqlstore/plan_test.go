package mysqlstore_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/mysqlstore"
)

// The cost of a claim and a settle depends on their batch alone, whatever else
// is in the table and whatever the optimizer believes about it. Statistics are
// worst after a quiet time: they say that nothing is pending when the next
// burst comes.
func TestPlansDoNotDependOnTheTable(t *testing.T) {
	onEach(t, func(t *testing.T, server string) {
		db := openDB(t, with(t, testenv.Database(t, server), "interpolateParams", "true"))
		migrated(t, db)
		db.SetMaxOpenConns(1) // counters and modes are the session's
		exec(t, db, "SET SESSION sql_mode = 'STRICT_ALL_TABLES'")
		exec(t, db, "ALTER TABLE outbox_event STATS_AUTO_RECALC = 0")
		fill(t, db, `'done', '{}', 1, UTC_TIMESTAMP(6), NULL, 0`, 100_000)
		exec(t, db, "ANALYZE TABLE outbox_event")
		fill(t, db, `'T', '{}', 0, NULL, 'a', 1`, 20_000)
		t.Run("with statistics from before", func(t *testing.T) { checkPlans(t, db) })
		exec(t, db, "ANALYZE TABLE outbox_event")
		t.Run("with the latest statistics", func(t *testing.T) { checkPlans(t, db) })
	})
}

// Fair claims use their index, whatever the optimizer believes.
func TestPlansOfFairClaims(t *testing.T) {
	onEach(t, func(t *testing.T, server string) {
		db := openDB(t, with(t, testenv.Database(t, server), "interpolateParams", "true"))
		if err := migrated(t, db).PrepareFair(t.Context()); err != nil {
			t.Fatal(err)
		}
		db.SetMaxOpenConns(1) // counters and modes are the session's
		exec(t, db, "SET SESSION sql_mode = 'STRICT_ALL_TABLES'")
		exec(t, db, "ALTER TABLE outbox_event STATS_AUTO_RECALC = 0")
		fill(t, db, `'done', '{}', 1, UTC_TIMESTAMP(6), NULL, 0`, 100_000)
		exec(t, db, "ANALYZE TABLE outbox_event")
		fill(t, db, `'T', '{}', 0, NULL, 'a', 1`, 20_000)
		exec(t, db, "UPDATE outbox_event SET tenant_id = IF(seq % 1000 = 0, CONCAT('small-', seq), 'big') WHERE status = 0 AND seq % 2 = 0")
		t.Run("with statistics from before", func(t *testing.T) { checkFairPlans(t, db) })
		exec(t, db, "ANALYZE TABLE outbox_event")
		t.Run("with the latest statistics", func(t *testing.T) { checkFairPlans(t, db) })
	})
}

func checkFairPlans(t *testing.T, db *sql.DB) {
	const rows = 500
	const zero = "0001-01-01 00:00:00"
	var at string // all rows have one time: a position is found by its seq too
	var seq int64
	if err := db.QueryRowContext(t.Context(), "SELECT available_at, seq FROM outbox_event WHERE lane = 'T' AND tenant_id = 'big' ORDER BY seq LIMIT 5000, 1").Scan(&at, &seq); err != nil {
		t.Fatal(err)
	}
	checkAll(t, db, []planned{
		{"claim", []any{0, "T", rows, zero, 0, "", 0}, "e outbox_event_pending", 2 * rows},
		{"lanes", []any{"", rows, 64}, "e outbox_event_pending", 4 * 64},
		{"claim_tenant", []any{0, "T", rows, zero, 0, "big", 0}, "e outbox_event_fair", 2 * rows},
		{"claim_tenant", []any{0, "T", rows, at, seq, "big", 0}, "e outbox_event_fair", 2 * rows},
		{"claim_tenant", []any{0, "T", rows, zero, 0, "nobody", 0}, "e outbox_event_fair", 10},
		{"claim_tenant_none", []any{0, "T", rows, zero, 0, "", 0}, "e outbox_event_fair", 2 * rows},
		{"tenants", []any{"T", "", rows, 64}, "e outbox_event_fair", 4 * 64},
		{"tenants", []any{"T", "big", rows, 16}, "e outbox_event_fair", 4 * 64},
	})
}

// digits is a table of the numbers from 0 to 9.
const digits = "(SELECT 0 n UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)"

// fill inserts rows of type, payload, status, done_at, locked_by and claim_no.
func fill(t *testing.T, db *sql.DB, values string, rows int) {
	t.Helper()
	exec(t, db, fmt.Sprintf(`INSERT INTO outbox_event (event_type, payload, status, done_at, locked_by, claim_no)
		SELECT %s FROM %[2]s a, %[2]s b, %[2]s c, %[2]s d, %[2]s e LIMIT %d`, values, digits, rows))
}

func checkPlans(t *testing.T, db *sql.DB) {
	const rows, lease = 500, 1_000_000
	held, keys, ids := batch(t, db, rows)
	const zero = "0001-01-01 00:00:00"
	var at string // all rows have one time: a position is found by its seq too
	var seq int64
	if err := db.QueryRowContext(t.Context(), "SELECT available_at, seq FROM outbox_event WHERE lane = 'T' ORDER BY seq LIMIT 10000, 1").Scan(&at, &seq); err != nil {
		t.Fatal(err)
	}
	checkAll(t, db, []planned{
		{"claim", []any{0, "T", rows, zero, 0, "", 0}, "e outbox_event_pending", 2 * rows},
		{"claim", []any{0, "T", rows, at, seq, "", 0}, "e outbox_event_pending", 2 * rows},
		{"claim_mark", []any{keys, "b", lease}, "e PRIMARY", 10 * rows},
		{"claim_read", []any{keys}, "e PRIMARY", 10 * rows},
		{"take", []any{held, "b", lease}, "e PRIMARY", 10 * rows},
		{"take_which", []any{held}, "e PRIMARY", 10 * rows},
		{"held", []any{held, "a"}, "e PRIMARY", 10 * rows},
		{"held_free", []any{held, "a"}, "e PRIMARY", 10 * rows},
		{"confirm", []any{held}, "e PRIMARY", 10 * rows},
		{"renew", []any{held, "a", lease}, "e PRIMARY", 10 * rows},
		{"done", []any{held, "a"}, "e PRIMARY", 10 * rows},
		{"held_lock", []any{held, "a"}, "e PRIMARY", 10 * rows},
		{"done_delete", []any{held, "a"}, "e PRIMARY", 10 * rows},
		{"settle_rest", []any{held, "a"}, "e PRIMARY", 10 * rows},
		{"dead_copy", []any{held, "a"}, "e PRIMARY", 10 * rows},
		{"inserted_seqs", []any{ids}, "e outbox_event_id", 10 * rows},
		{"sweep_which", []any{0, rows}, "d outbox_event_pending", 2 * rows},
		{"rows_free", []any{keys}, "e PRIMARY", 10 * rows},
		{"sweep", []any{keys}, "e PRIMARY", 10 * rows},
		{"sweep_foreign_dead_which", []any{rows}, "e outbox_event_pending", 10},
		{"sweep_foreign_dead", []any{keys}, "e PRIMARY", 10 * rows},
		{"sweep_foreign_dead_drop", []any{keys}, "e PRIMARY", 10 * rows},
		{"dlq_replay_free", []any{ids}, "e outbox_event_id", 10 * rows},
		{"expire_which", []any{0, rows}, "o PRIMARY", 10 * rows},
		{"expire", []any{keys}, "e PRIMARY", 10 * rows},
		{"lanes", []any{"", rows, 64}, "e outbox_event_pending", 4 * 64},
		{"stats_lanes", []any{"T", rows, rows}, "e outbox_event_pending", 10 * rows},
		{"stats_done", []any{rows}, "e outbox_event_pending", 10 * rows},
	})
}

// planned is a statement, and what it may touch.
type planned struct {
	file string
	args []any
	keys string // alias and index of each table
	rows int    // that it may touch; a list is read twice
}

func checkAll(t *testing.T, db *sql.DB, all []planned) {
	for _, tt := range all {
		t.Run(tt.file, func(t *testing.T) {
			query, args := statement(t, tt.file, tt.args)
			for table := range strings.SplitSeq(tt.keys, ", ") {
				alias, key, _ := strings.Cut(table, " ")
				if plan := explain(t, db, query, args); plan[alias] != key {
					t.Errorf("%s is read through %q, expected %s; all: %v", alias, plan[alias], key, plan)
				}
			}
			if n := reads(t, db, query, args); n > tt.rows {
				t.Errorf("read %d rows, expected at most %d", n, tt.rows)
			}
		})
	}
}

// batch returns pending rows as the statements take them: [event id, seq, claim
// number, ...], [seq] and [event id].
func batch(t *testing.T, db *sql.DB, n int) (held, keys, ids string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), "SELECT event_id, seq FROM outbox_event WHERE status = 0 ORDER BY seq LIMIT ?", n)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }() // Err is asked
	var all [3][]any
	for rows.Next() {
		var id string
		var seq int64
		if err := rows.Scan(&id, &seq); err != nil {
			t.Fatal(err)
		}
		all[0] = append(all[0], []any{id, seq, 1, 2, 1, 1, "no", nil})
		all[1], all[2] = append(all[1], []any{seq}), append(all[2], []any{id})
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	var texts [3]string
	for i := range all {
		text, err := json.Marshal(all[i])
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = string(text)
	}
	return texts[0], texts[1], texts[2]
}

var (
	include   = regexp.MustCompile(`(?m)^-- include: (\w+)$`)
	comments  = regexp.MustCompile(`(?m)^--.*\n`)
	parameter = regexp.MustCompile(`\?(\d+)`)
)

// statement reads a file and puts the arguments into the order of their use.
func statement(t *testing.T, file string, args []any) (string, []any) {
	t.Helper()
	read := func(name string) string {
		text, err := fs.ReadFile(mysqlstore.Dialect().SQL, "sql/"+name+".sql")
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	query := include.ReplaceAllStringFunc(read(file), func(line string) string {
		return read(include.FindStringSubmatch(line)[1])
	})
	query = comments.ReplaceAllString(query, "")
	var used []any
	for _, m := range parameter.FindAllStringSubmatch(query, -1) {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			t.Fatal(err)
		}
		used = append(used, args[n-1])
	}
	return parameter.ReplaceAllString(query, "?"), used
}

// explain gives the index of each table, and "a scan" for one that has none.
func explain(t *testing.T, db *sql.DB, query string, args []any) map[string]string {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), "EXPLAIN FORMAT=TRADITIONAL "+query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }() // Err is asked
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	plan := map[string]string{}
	for rows.Next() {
		fields := map[string]*sql.NullString{}
		var into []any
		for _, c := range columns {
			fields[c] = new(sql.NullString)
			into = append(into, fields[c])
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		plan[fields["table"].String] = fields["key"].String
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return plan
}

// reads counts the rows that a statement reads, and rolls it back.
func reads(t *testing.T, db *sql.DB, query string, args []any) (n int) {
	t.Helper()
	tx, err := db.BeginTx(t.Context(), &sql.TxOptions{Isolation: sql.LevelReadCommitted})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }() // keep nothing
	before := counter(t, tx)
	rows, err := tx.QueryContext(t.Context(), query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }() // Err is asked
	for rows.Next() {                   // to the end, which closes them
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return counter(t, tx) - before
}

func counter(t *testing.T, tx interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}) (n int) {
	t.Helper()
	rows, err := tx.QueryContext(t.Context(), "SHOW SESSION STATUS LIKE 'Handler_read%'")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }() // Err is asked
	for rows.Next() {
		var name string
		var value int
		if err := rows.Scan(&name, &value); err != nil {
			t.Fatal(err)
		}
		n += value
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return n
}
