package pgstore_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/pgstore"
)

// relaysGrants are the least rights of a relay on the page, without those for
// what it may also do.
var relaysGrants = regexp.MustCompile(`(?s)-- Relays\.[^\n]*\n(.*?)-- and with`)

func TestARelayMayGroupLettersWithTheRightsOfThePage(t *testing.T) {
	page, err := os.ReadFile("../../docs/schema.md")
	if err != nil {
		t.Fatal(err)
	}
	grants := relaysGrants.FindStringSubmatch(string(page))
	if grants == nil {
		t.Fatal("the page has no rights of relays")
	}
	db := openDB(t, testenv.Database(t, testenv.Postgres15))
	migrated(t, db)
	q := testenv.Must(pgstore.Resolve(pgstore.Tables{}))
	tx := testenv.Must(db.BeginTx(t.Context(), nil))
	defer func() { _ = tx.Rollback() }() // keep no role
	run := func(statement string, args ...any) {
		t.Helper()
		if _, err := tx.ExecContext(t.Context(), statement, args...); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	run("CREATE ROLE relay")
	for statement := range strings.SplitSeq(grants[1], ";\n") {
		if strings.TrimSpace(statement) != "" {
			run(statement)
		}
	}
	run("INSERT INTO outbox_dlq_event (event_id, seq, event_type, payload, attempts, created_at, claim_no) VALUES ('a', 1, 'order', '1', 1, now(), 1)")
	run("SET LOCAL ROLE relay")
	for range 2 { // a new group, and one that is there
		run(q.Ungrouped.SQL, 10)
		run(q.GroupLetters.SQL, "{a}", "{1}", "{9f86}", "{kafka}")
		run(q.GroupAdd.SQL, "{9f86}", "{order}", "{kafka}", "{refused}")
	}
	run(q.GroupSweep.SQL, 0, 10)
}
