package pgstore_test

import (
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/store/pgstore"
)

// The statements by place differ from those by key only in how they name rows:
// a fix to one belongs in the other.
func TestStatementsByPlaceDifferOnlyInHowTheyNameRows(t *testing.T) {
	q, err := pgstore.Resolve(pgstore.Tables{})
	if err != nil {
		t.Fatal(err)
	}
	byKey := strings.NewReplacer(
		"FROM ONLY", "FROM", "UPDATE ONLY", "UPDATE", ", e.ctid", "",
		"e.ctid AS place", "e.event_id", "e.ctid = ANY (ARRAY(SELECT place", "e.event_id = ANY (ARRAY(SELECT event_id",
		"f.place", "f.event_id", "r.place", "r.event_id", "s.place", "s.event_id",
		"e.ctid = ANY ($5::tid[])", "e.event_id = ANY ($1::text[])")
	for name, pair := range map[string][2]string{
		"claim":       {q.Claim.SQL, q.ClaimPlaced.SQL},
		"done":        {q.Done.SQL, q.DonePlaced.SQL},
		"done_delete": {q.DoneDelete.SQL, q.DoneDeletePlaced.SQL},
	} {
		if got := byKey.Replace(pair[1]); got != pair[0] {
			t.Errorf("%s_placed.sql, by key:\n%s\n%s.sql:\n%s", name, got, name, pair[0])
		}
	}
}
