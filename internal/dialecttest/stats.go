package dialecttest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// With a thousand lanes, Stats looks for held rows only among the ten earliest of
// each lane, but counts all rows.
func statsOfManyLanes(t *testing.T, s Subject) {
	db := s.Fresh(t)()
	store := migrated(t, s, db, sqlstore.Tables{})
	for from := 0; from < 1000; from += 250 {
		var rows []string
		for i := from; i < from+250; i++ {
			n := map[int]int{1: 30, 2: 8}[i] + 1
			for range n {
				rows = append(rows, fmt.Sprintf("('lane-%03d', '1')", i))
			}
		}
		exec(t, db, "INSERT INTO outbox_event (event_type, payload) VALUES "+strings.Join(rows, ", "))
	}
	cs, err := store.Claim(t.Context(), driver.ClaimRequest{Owner: driver.NewOwner("a"), Lease: time.Hour, Wants: []driver.Want{{Lane: "lane-001", Rows: 15}, {Lane: "lane-002", Rows: 4}}})
	if err != nil || len(cs) != 19 {
		t.Fatalf("%d claimed, error %v", len(cs), err)
	}
	st, err := store.Stats(t.Context())
	must(t, err)
	if len(st.Lanes) != 1000 {
		t.Fatalf("%d lanes, want 1000", len(st.Lanes))
	}
	for i, want := range []driver.LaneStats{
		{Lane: "lane-000", Waiting: driver.Count{N: 1}},
		{Lane: "lane-001", Waiting: driver.Count{N: 21}, Held: driver.Count{N: 10, More: true}},
		{Lane: "lane-002", Waiting: driver.Count{N: 5}, Held: driver.Count{N: 4}},
	} {
		got := st.Lanes[i]
		if got.OldestDue <= 0 {
			t.Errorf("%s: no event is due", got.Lane)
		}
		if got.OldestDue = 0; got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if want := int64(1000 - 2 + 31 + 9 - 14); st.Waiting != (driver.Count{N: want}) || st.Held != (driver.Count{N: 14, More: true}) {
		t.Errorf("%+v wait and %+v are held, want %d and 14 or more", st.Waiting, st.Held, want)
	}
}
