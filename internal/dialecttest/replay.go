package dialecttest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// A delivered event can be copied whatever headers another program gave it.
func copiesOfAnyHeaders(t *testing.T, s Subject) {
	db := s.Fresh(t)()
	store := migrated(t, s, db, sqlstore.Tables{})
	var replays []driver.Replay
	for i, headers := range []string{
		"NULL", `'null'`, `'{}'`, `'[]'`, `'"x"'`, `'{"n":1}'`, `'{"":"x"}'`, `'{"outbox_replay_of":"other"}'`,
		`'{"long":"` + strings.Repeat("x", outbox.MaxHeaders-20) + `"}'`,
	} {
		r := driver.Replay{EventID: fmt.Sprintf("e%d", i), NewID: fmt.Sprintf("copy%d", i)}
		exec(t, db, fmt.Sprintf("INSERT INTO outbox_event (event_id, event_type, payload, headers, status) VALUES ('%s', 'order', '1', %s, 1)", r.EventID, headers))
		replays = append(replays, r)
	}
	results, err := store.ReplayDone(t.Context(), replays)
	must(t, err)
	for i, r := range results {
		if r.Status != driver.DeadApplied {
			t.Errorf("%s is %s", r.ID, r.Status)
		}
		e, found, err := store.GetEvent(t.Context(), replays[i].NewID)
		must(t, err)
		if !found || e.Problem != nil || e.Event.Headers[driver.ReplayOf] != r.ID {
			t.Errorf("the copy of %s: found %t, problem %v, headers %.100v", r.ID, found, e.Problem, e.Event.Headers)
		}
	}
}

// A job leaves alone delivered events that another session has locked.
func lockedDelivered(t *testing.T, s Subject) {
	db := s.Fresh(t)()
	store := migrated(t, s, db, sqlstore.Tables{})
	for _, id := range []string{"free", "locked"} {
		exec(t, db, fmt.Sprintf("INSERT INTO outbox_event (event_id, event_type, payload, status) VALUES ('%s', 'order', '1', 1)", id))
	}
	tx, err := db.BeginTx(t.Context(), nil)
	must(t, err)
	defer func() { _ = tx.Rollback() }()
	_, err = tx.ExecContext(t.Context(), "UPDATE outbox_event SET attempts = 1 WHERE event_id = 'locked'")
	must(t, err)
	erased, err := store.EraseDone(t.Context(), []string{"locked", "free"})
	if err != nil || erased[0].Status != driver.DeadConflict || erased[1].Status != driver.DeadApplied {
		t.Errorf("erased %v, error %v", erased, err)
	}
	replayed, err := store.ReplayDone(t.Context(), []driver.Replay{{EventID: "locked"}})
	if err != nil || replayed[0].Status != driver.DeadNotFound {
		t.Errorf("replayed %v, error %v", replayed, err)
	}
}
