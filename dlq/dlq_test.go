package dlq_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/dlq"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/memkit"
	"github.com/sendoff-go/outbox/store/memstore"
)

var ann = driver.Act{By: "ann", Note: "mended"}

// dead is a store with n dead letters of one type.
func dead(t *testing.T, n int) (*memstore.Store, []string) {
	t.Helper()
	store := memstore.New(memstore.Config{})
	return store, kill(t, store, "order-placed", "refused", n)
}

func kill(t *testing.T, store *memstore.Store, eventType, reason string, n int) []string {
	t.Helper()
	es := make([]outbox.Event, n)
	for i := range es {
		es[i] = outbox.Event{Type: eventType, JSON: []byte("1")}
	}
	ids := memkit.Write(t, store, es...)
	memkit.Settle(t, store, eventType, driver.Outcome{Kind: driver.Dead, Attempts: 3, Error: reason}, true)
	return ids
}

func TestAnActionIsAppliedAndAudited(t *testing.T) {
	store, ids := dead(t, 6)
	for i, action := range []dlq.Action{dlq.Retry, dlq.Resolve, dlq.Delete} {
		results, err := dlq.Apply(t.Context(), store, action, ann, ids[2*i:2*i+2])
		if err != nil || len(results) != 2 || results[0].Status != driver.DeadApplied {
			t.Errorf("%s: %v, error %v", action, results, err)
		}
	}
	if open, resolved := memkit.Count(t, store, driver.DeadFilter{}), memkit.Count(t, store, driver.DeadFilter{Resolved: true}); open != 0 || resolved != 2 {
		t.Errorf("%d open and %d resolved letters, want 0 and 2", open, resolved)
	}
	entries, _, err := store.ListAudit(t.Context(), driver.AuditFilter{}, 0, 10)
	if err != nil || len(entries) != 3 {
		t.Fatalf("%d entries, error %v", len(entries), err)
	}
	for i, e := range entries { // the latest first
		if e.Act != ann || !slices.Equal(e.Subjects, ids[4-2*i:6-2*i]) {
			t.Errorf("%+v, want %v by %+v", e, ids[4-2*i:6-2*i], ann)
		}
	}
}

func TestWrongCallsSayWhatToDo(t *testing.T) {
	store, ids := dead(t, 1)
	for name, c := range map[string]struct {
		action dlq.Action
		act    driver.Act
		ids    []string
		want   error
	}{
		"nobody":       {dlq.Retry, driver.Act{}, ids, dlq.ErrNobody},
		"too many ids": {dlq.Retry, ann, make([]string, dlq.MaxIDs+1), dlq.ErrTooMany},
		"no action":    {"IN_PROCESS", ann, ids, nil},
	} {
		if _, err := dlq.Apply(t.Context(), store, c.action, c.act, c.ids); err == nil || (c.want != nil && !errors.Is(err, c.want)) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	results, err := dlq.Apply(t.Context(), store, dlq.Resolve, ann, []string{"unknown", ids[0]})
	if want := fmt.Sprint([]driver.DeadResult{{ID: "unknown", Status: driver.DeadNotFound}, {ID: ids[0], Status: driver.DeadApplied}}); err != nil || fmt.Sprint(results) != want {
		t.Errorf("%v, error %v; want %s", results, err, want)
	}
}
