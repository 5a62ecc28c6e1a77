package dialecttest

import (
	"context"
	"database/sql"
	"errors"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// refused expects a write to be refused with ErrSchema in a transaction that
// then commits.
func refused(t *testing.T, store *sqlstore.Store, db *sql.DB) {
	t.Helper()
	exec(t, db, "CREATE TABLE business (n int)")
	w := outbox.NewWriter(store)
	tx, err := db.BeginTx(t.Context(), nil)
	must(t, err)
	defer func() { _ = tx.Rollback() }() // after a commit it has nothing to do
	for range 2 {
		if _, err := w.Write(t.Context(), tx, event()); !errors.Is(err, outbox.ErrSchema) {
			t.Fatalf("error %v, expected ErrSchema", err)
		}
	}
	if _, err := tx.ExecContext(t.Context(), "INSERT INTO business VALUES (1)"); err != nil {
		t.Fatalf("the transaction cannot go on: %v", err)
	}
	must(t, tx.Commit())
}

func writeWithoutTables(t *testing.T, s Subject) {
	db := s.Fresh(t)()
	store := newStore(t, s, db, sqlstore.Tables{})
	refused(t, store, db)
	must(t, store.Migrate(t.Context()))
	write(t, store, event()) // the refusal is not remembered
}

func olderVersion(t *testing.T, s Subject) {
	db := s.Fresh(t)()
	store := migrated(t, s, db, sqlstore.Tables{})
	write(t, store, event())
	exec(t, db, "DELETE FROM outbox_schema")
	store = newStore(t, s, db, sqlstore.Tables{}) // the other knows them already
	refused(t, store, db)
	must(t, store.Migrate(t.Context()))
	if cs := claim(t, store); len(cs) != 1 {
		t.Errorf("%d events after migrating, expected the one written before", len(cs))
	}
}

func newerVersion(t *testing.T, s Subject) {
	db := s.Fresh(t)()
	store := migrated(t, s, db, sqlstore.Tables{})
	exec(t, db, "INSERT INTO outbox_schema (version, name) VALUES (9999, 'of the future')")
	write(t, store, event())
	must(t, store.Migrate(t.Context()))
	oneSweeper(t, s, db, store)
	states, err := store.MigrationStatus(t.Context())
	must(t, err)
	if last := states[len(states)-1]; last.Version != 9999 || last.AppliedAt.IsZero() {
		t.Errorf("the last step is %+v, expected the newer program's", last)
	}
}

func ormWrites(t *testing.T, s Subject) {
	db := s.Fresh(t)()
	store := migrated(t, s, db, sqlstore.Tables{})
	w := outbox.NewWriter(store.ORM())
	tx, err := db.BeginTx(t.Context(), nil)
	must(t, err)
	_, err = w.Write(t.Context(), wrapped{tx}, event())
	must(t, err)
	must(t, tx.Commit())
	must(t, w.InTx(t.Context(), func(ctx context.Context, tx sqlstore.Tx) error {
		_, err := w.Write(ctx, tx, event())
		return err
	}))
	if cs := claim(t, store); len(cs) != 2 {
		t.Errorf("%d events, expected 2", len(cs))
	}
	var none *sql.Tx
	for name, tx := range map[string]sqlstore.Tx{"nil": nil, "a nil *sql.Tx": none, "a finished one": tx} {
		if _, err := w.Write(t.Context(), tx, event()); !errors.Is(err, outbox.ErrNoTransaction) {
			t.Errorf("%s: error %v, expected ErrNoTransaction", name, err)
		}
	}
}

// wrapped is a transaction as in an ORM: its own type.
type wrapped struct{ *sql.Tx }

func detected(t *testing.T, s Subject) {
	db := s.Fresh(t)()
	other := s.Dialect
	other.Name, other.Probe = "another", "SELECT what_no_database_has()"
	stranger := s.Dialect
	stranger.Name, stranger.Knows = "stranger", func(string) bool { return false }
	d, err := sqlstore.Detect(t.Context(), db, other, stranger, s.Dialect)
	must(t, err)
	if d.Name != s.Dialect.Name {
		t.Errorf("detected %q", d.Name)
	}
	if _, err := sqlstore.Detect(t.Context(), db, other, stranger); err == nil {
		t.Error("detected a dialect that it is not")
	}
}

func bareInsert(t *testing.T, s Subject) {
	db := s.Fresh(t)()
	store := migrated(t, s, db, sqlstore.Tables{})
	for range 3 {
		exec(t, db, "INSERT INTO outbox_event (event_type, payload) VALUES ('"+lane+"', '{}')")
	}
	ids := map[string]bool{}
	for _, c := range claim(t, store) {
		if c.Problem != nil || c.EventID == "" || c.CreatedAt.IsZero() || c.Event.OccurredAt.IsZero() {
			t.Errorf("%+v", c)
		}
		ids[c.EventID] = true
	}
	if len(ids) != 3 {
		t.Errorf("%d ids, expected 3", len(ids))
	}
}

// oneSweeper expects a sweep to do nothing while another one runs.
func oneSweeper(t *testing.T, s Subject, db *sql.DB, store *sqlstore.Store) {
	t.Helper()
	r, err := sqlstore.Resolve(s.Dialect, sqlstore.Tables{})
	must(t, err)
	if r.Queries.SweepLock.SQL == "" {
		return // one writer at a time is one sweeper at a time
	}
	settle(t, store, driver.Done, claim(t, store)...)
	tx, err := db.BeginTx(t.Context(), nil)
	must(t, err)
	defer func() { _ = tx.Rollback() }() // ends the other's sweep
	must(t, tx.QueryRowContext(t.Context(), r.Queries.SweepLock.SQL).Scan(new(any)))
	if n, err := store.Sweep(t.Context(), 0, 10); err != nil || n != 0 {
		t.Errorf("swept %d, error %v: expected nothing while another sweeps", n, err)
	}
	must(t, tx.Rollback())
	if n, err := store.Sweep(t.Context(), 0, 10); err != nil || n != 1 {
		t.Errorf("swept %d, error %v: expected the one that is done", n, err)
	}
}
