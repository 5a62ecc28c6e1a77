package mysqlstore_test

import (
	"database/sql"
	"fmt"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/internal/testenv"
)

// A statement more for each lane would take longer than a call may.
func TestThousandsOfLanesTakeFewStatements(t *testing.T) {
	const lanes, each = 5000, 4
	onEach(t, func(t *testing.T, server string) {
		db := openDB(t, testenv.Database(t, server))
		store := migrated(t, db)
		db.SetMaxOpenConns(1) // counters are the session's
		for range each {
			exec(t, db, fmt.Sprintf(`INSERT INTO outbox_event (event_type, payload)
				SELECT CONCAT('lane-', d.n, c.n, b.n, a.n), '{}' FROM %[1]s a, %[1]s b, %[1]s c, %[1]s d WHERE d.n < %d`, digits, lanes/1000))
		}
		before, start := statements(t, db), time.Now()
		got, err := store.Lanes(t.Context(), "", 2*lanes)
		took := time.Since(start)
		if err != nil || len(got) != lanes {
			t.Fatalf("%d lanes, error %v: expected %d", len(got), err, lanes)
		}
		for i, l := range got {
			if want := fmt.Sprintf("lane-%04d", i); l.Lane != want || l.Age <= 0 {
				t.Fatalf("lane %d is %+v, expected %s", i, l, want)
			}
		}
		n := statements(t, db) - before
		if most := lanes * each / 1000 * 2; n > most {
			t.Errorf("%d statements, expected at most %d", n, most)
		}
		t.Logf("%d lanes of %d rows: %d statements, %s", lanes, each, n, took)
	})
}

func statements(t *testing.T, db *sql.DB) (n int) {
	t.Helper()
	var name string
	if err := db.QueryRowContext(t.Context(), "SHOW SESSION STATUS LIKE 'Com_stmt_execute'").Scan(&name, &n); err != nil {
		t.Fatal(err)
	}
	return n
}
