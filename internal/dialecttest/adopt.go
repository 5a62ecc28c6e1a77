package dialecttest

import (
	"slices"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// Adoption is an event table made with the specification's own DDL.
type Adoption struct {
	Name string
	// Make creates the table and fills it, all of lane OrderPlaced:
	//
	//	new      NEW, tenant t1, headers {"a":"b"}, payload {"n":1}
	//	locked   NEW, with an old locked_by and locked_at
	//	retried  RETRY with 3 attempts and the error "again"
	//	done     DONE, long ago
	//	undated  DONE, without a done_at
	//	dead     DEAD with 10 attempts and the error "gone"
	//	later    NEW, due in the year 2999
	Make []string
	// Broken is set if there is also
	//
	//	broken   NEW, whose payload is not JSON
	Broken bool
	// Insert is the specification's INSERT of an event "spec", and Done its
	// mark of that one as done.
	Insert, Done string
}

func (a Adoption) check(t *testing.T, s Subject) {
	db := s.Fresh(t)()
	exec(t, db, a.Make...)
	store := migrated(t, s, db, sqlstore.Tables{})
	must(t, store.Migrate(t.Context()))

	cs := claim(t, store)
	var ids []string
	for _, c := range cs {
		ids = append(ids, c.EventID)
		a.checkClaimed(t, c)
	}
	slices.Sort(ids)
	want := []string{"locked", "new", "retried"}
	if a.Broken && !s.Dialect.ChecksJSON {
		want = []string{"broken", "locked", "new", "retried"}
	}
	if !slices.Equal(ids, want) {
		t.Errorf("claimed %v, expected %v", ids, want)
	}
	a.checkRest(t, store, s.Dialect.ChecksJSON)

	exec(t, db, a.Insert)
	if cs := claim(t, store); len(cs) != 1 || cs[0].EventID != "spec" || cs[0].Problem != nil {
		t.Errorf("claimed %+v, expected what the specification's INSERT wrote", cs)
	}
	exec(t, db, a.Done)
	stats, err := store.Stats(t.Context())
	must(t, err)
	if stats.Done.N != 2 {
		t.Errorf("%d done, expected the undated one and the specification's", stats.Done.N)
	}
	settle(t, store, driver.Done, cs...)
	write(t, store, event())
	swept, err := store.Sweep(t.Context(), 0, 100)
	must(t, err)
	if want := len(cs) + 2; swept != want {
		t.Errorf("swept %d, expected %d: the adopted, the specification's and those claimed", swept, want)
	}
}

func (a Adoption) checkClaimed(t *testing.T, c driver.Claimed) {
	t.Helper()
	switch c.EventID {
	case "new":
		e := c.Event
		if e.TenantID != "t1" || e.Headers["a"] != "b" || len(e.JSON) == 0 || c.Attempts != 0 || c.Problem != nil {
			t.Errorf("%+v, attempts %d, problem %v", e, c.Attempts, c.Problem)
		}
		if c.CreatedAt.Year() != 2024 || c.CreatedAt.Hour() != 12 {
			t.Errorf("created at %s, expected 2024 at 12 h UTC", c.CreatedAt)
		}
	case "locked":
		if c.Recovered != 0 {
			t.Errorf("recovered %d times: a lock of the old program does not count", c.Recovered)
		}
	case "retried":
		if c.Attempts != 3 || c.Problem != nil {
			t.Errorf("attempts %d, problem %v", c.Attempts, c.Problem)
		}
	case "broken":
		if c.Problem == nil {
			t.Error("a payload that is not JSON was read")
		}
	}
}

func (a Adoption) checkRest(t *testing.T, store *sqlstore.Store, checksJSON bool) {
	t.Helper()
	stats, err := store.Stats(t.Context())
	must(t, err)
	dead := int64(1)
	if a.Broken && checksJSON {
		dead = 2
		if l, found, err := store.GetDead(t.Context(), "broken"); err != nil || !found || l.Error == "" || string(l.Event.Bytes) != "not JSON" {
			t.Errorf("%+v, found %t, error %v: expected the text and the reason", l, found, err)
		}
	}
	if stats.Done.N != 2 || stats.Dead.N != dead || stats.Waiting.N != 1 {
		t.Errorf("%+v: expected two done, %d dead, one waiting for its time", stats, dead)
	}
	if swept, err := store.Sweep(t.Context(), time.Hour, 100); err != nil || swept != 1 {
		t.Errorf("swept %d, error %v: expected the one that was done long ago, and the undated one to stay", swept, err)
	}
	l, found, err := store.GetDead(t.Context(), "dead")
	if err != nil || !found || l.Error != "gone" || l.Attempts != 10 || l.Problem != nil {
		t.Errorf("%+v, found %t, error %v: expected the dead event with its history", l, found, err)
	}
}
