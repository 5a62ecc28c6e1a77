package locktest

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/dialecttest"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// waitsForTable tests an outcome that waits for the dead letters, of which another
// session has locked the whole table, as one that builds an index. Only outcomes of
// dead events need that table. By the error a relay tells an outcome that takes too
// long from a database that is down, and goes on with the others.
func (l Laws) waitsForTable(t *testing.T, store *sqlstore.Store) {
	db := l.Others()
	empty(t, db)
	w := outbox.NewWriter(store)
	err := w.InTx(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
		_, err := w.WriteAll(ctx, tx, outbox.Event{Type: "T", JSON: []byte("1")}, outbox.Event{Type: "T", JSON: []byte("2")})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var cs []driver.Claimed
	Answered(t, "claim", func() (err error) {
		cs, err = store.Claim(t.Context(), driver.ClaimRequest{Owner: "a", Lease: time.Hour, Wants: []driver.Want{{Lane: "T", Rows: 2}}})
		return err
	})
	if len(cs) != 2 {
		t.Fatalf("claimed %v, expected both", cs)
	}
	hurried := dialecttest.Unhurried()
	hurried.Relay, hurried.StatementTimeout = l.Relay(), 3*time.Second
	brief, err := sqlstore.New(db, l.Dialect, hurried)
	if err != nil {
		t.Fatal(err)
	}
	release := dialecttest.HoldTable(t, db, l.LockLetters, l.UnlockTable)
	_, err = brief.Settle(t.Context(), "a", []driver.Outcome{{Held: cs[0].Held, Kind: driver.Dead, Attempts: 1, Error: "x"}}, true)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, expected that it took too long", err)
	}
	Answered(t, "settle", func() error {
		stale, err := store.Settle(t.Context(), "a", []driver.Outcome{{Held: cs[1].Held, Kind: driver.Done}}, true)
		if err == nil && len(stale) > 0 {
			t.Errorf("stale %v: the other outcome needs no dead letters", stale)
		}
		return err
	})
	release()
	Answered(t, "settle", func() error {
		_, err := store.Settle(t.Context(), "a", []driver.Outcome{{Held: cs[0].Held, Kind: driver.Dead, Attempts: 1, Error: "x"}}, true)
		return err
	})
	if n, err := store.CountDead(t.Context(), driver.DeadFilter{}); err != nil || n.N != 1 {
		t.Errorf("%d dead letters, error %v: expected one", n.N, err)
	}
}

func empty(t testing.TB, db *sql.DB) {
	t.Helper()
	for _, table := range []string{"outbox_event", "outbox_dlq_event", "outbox_dlq_group", "outbox_alert", "outbox_job", "outbox_audit"} {
		if _, err := db.ExecContext(t.Context(), "DELETE FROM "+table); err != nil {
			t.Fatal(err)
		}
	}
}
