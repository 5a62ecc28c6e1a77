package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// newLimited is a store on a fake server that can be told limits.
func newLimited(t *testing.T, s *server) *Store {
	t.Helper()
	d := fakeDialect()
	for _, name := range []string{"wait_limit", "wait_restore", "held", "held_free"} {
		d.SQL.(fstest.MapFS)["sql/"+name+".sql"] = &fstest.MapFile{Data: []byte(name)}
	}
	db := sql.OpenDB(s)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	store, err := New(db, d, Config{StatementTimeout: unhurried})
	if err != nil {
		t.Fatal(err)
	}
	return store
}

func TestACallThatRunsIntoALimitLiftsIt(t *testing.T) {
	for name, fault := range map[string]error{"a limit": errLimit, "a lock": errLocked} {
		s := &server{}
		tries := 0
		s.query = func(_ context.Context, _ int, query string) error {
			if query == "claim" {
				tries++
			}
			if query == "claim" && tries == 1 {
				return fault
			}
			return nil
		}
		if err := claim(t.Context(), newLimited(t, s)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if want := []string{"claim", "wait_limit", "claim", "wait_restore"}; !slices.Equal(s.sent, want) {
			t.Errorf("%s: sent %q, expected %q", name, s.sent, want)
		}
	}
}

func TestALimitThatCannotBeLiftedIsAnOutage(t *testing.T) {
	for name, fault := range map[string]error{"a limit": errLimit, "a lock": errLocked} {
		s := &server{query: func(_ context.Context, _ int, query string) error {
			if query == "claim" {
				return fault
			}
			return nil
		}}
		if err := claim(t.Context(), newLimited(t, s)); !errors.Is(err, outbox.ErrStoreDown) || !errors.Is(err, fault) {
			t.Errorf("%s: %v, expected ErrStoreDown", name, err)
		}
		if want := []string{"claim", "wait_limit", "claim", "wait_restore"}; !slices.Equal(s.sent, want) {
			t.Errorf("%s: sent %q, expected %q", name, s.sent, want)
		}
	}
}

// A second lock in the way, as that of a table, is not waited for a third time.
func TestASettleGoesAroundALockOnce(t *testing.T) {
	s := &server{query: func(_ context.Context, _ int, query string) error {
		if query == "done" || query == "held_free" {
			return errLocked
		}
		return nil
	}}
	_, err := newLimited(t, s).Settle(t.Context(), "a", []driver.Outcome{{Held: driver.Held{EventID: "x", Seq: 1, ClaimNo: 1}, Kind: driver.Done}}, true)
	if !errors.Is(err, outbox.ErrStoreDown) || errors.As(err, new(*driver.LockedError)) {
		t.Errorf("error %v, expected ErrStoreDown", err)
	}
	if want := []string{"wait_limit", "done", "wait_restore", "wait_limit", "held_free", "wait_restore"}; !slices.Equal(s.sent, want) {
		t.Errorf("sent %q, expected %q", s.sent, want)
	}
}
