package dialecttest

import (
	"errors"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// auditedOrUndone expects a change whose entry cannot be written not to happen.
func auditedOrUndone(t *testing.T, s Subject) {
	db := s.Fresh(t)()
	store := migrated(t, s, db, sqlstore.Tables{})
	ids := write(t, store, event())
	settle(t, store, driver.Dead, claim(t, store)...)
	exec(t, db, "DROP TABLE outbox_audit")
	ctx := driver.WithAct(t.Context(), driver.Act{By: "ann"})
	for name, call := range map[string]func() error{
		"replay":  func() error { _, err := store.ReplayDead(ctx, driver.DeadIDs(ids...)); return err },
		"resolve": func() error { _, err := store.ResolveDead(ctx, driver.DeadIDs(ids...)); return err },
		"delete":  func() error { _, err := store.DeleteDead(ctx, driver.DeadIDs(ids...)); return err },
		"pause":   func() error { return store.SetPaused(ctx, driver.PausableLane(lane), true, "ann") },
	} {
		if err := call(); !errors.Is(err, outbox.ErrSchema) {
			t.Errorf("%s: error %v, expected ErrSchema", name, err)
		}
	}
	l, found, err := store.GetDead(t.Context(), ids[0])
	must(t, err)
	if !found || !l.ResolvedAt.IsZero() {
		t.Errorf("the letter was changed without an entry: found %t, resolved %s", found, l.ResolvedAt)
	}
	if paused, err := store.Paused(t.Context()); err != nil || len(paused) != 0 {
		t.Errorf("paused %v without an entry, error %v", paused, err)
	}
	if cs := claim(t, store); len(cs) != 0 {
		t.Error("the event was replayed without an entry")
	}
}
