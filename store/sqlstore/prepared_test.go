package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"slices"
	"testing"
)

// embedded is a store on a fake embedded database, with a pool of one
// connection.
func embedded(t *testing.T, s *server) *Store {
	t.Helper()
	db := sql.OpenDB(s)
	db.SetMaxOpenConns(1)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	d := fakeDialect()
	d.Embedded = true
	store, err := New(db, d, Config{StatementTimeout: unhurried})
	if err != nil {
		t.Fatal(err)
	}
	return store
}

func TestAStatementThatIsSentOftenIsReadOnce(t *testing.T) {
	s := &server{prepare: func(string) error { return nil }}
	store := embedded(t, s)
	claimTimes(t, store, 10)
	if texts, prepared := s.count(s.sent, "claim"), s.count(s.prepared, "claim"); texts != 2 || prepared != 1 {
		t.Errorf("sent as text %d times and prepared %d times, want 2 and 1", texts, prepared)
	}
	if runs := s.count(s.ran, "claim"); runs != 8 {
		t.Errorf("ran %d times prepared, want 8", runs)
	}
}

func TestAStatementThatCannotBePreparedIsSentAsAText(t *testing.T) {
	s := &server{prepare: func(string) error { return errMissing }}
	store := embedded(t, s)
	claimTimes(t, store, 10)
	if texts := s.count(s.sent, "claim"); texts != 10 {
		t.Errorf("sent as text %d times, want 10", texts)
	}
	s.prepare = func(string) error { return nil }
	claimTimes(t, store, 10)
	if s.count(s.ran, "claim") == 0 {
		t.Error("it was not tried again")
	}
}

func TestStatementsOfServersAreLeftToTheirDrivers(t *testing.T) {
	s := &server{prepare: func(string) error { return nil }}
	store := newFake(t, s)
	claimTimes(t, store, 5)
	if len(s.prepared) > 0 {
		t.Errorf("prepared %q, want nothing", s.prepared)
	}
}

func TestATransactionOfAnotherPoolSendsTheText(t *testing.T) {
	s := &server{prepare: func(string) error { return nil }}
	store := embedded(t, s)
	other := sql.OpenDB(s)
	defer func() { _ = other.Close() }() // nothing is left in it
	confirm := func(db *sql.DB) {
		t.Helper()
		tx, err := db.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer tx.Rollback()
		rows, err := store.in(tx).Query(t.Context(), store.queries.Confirm, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = rows.Close() }() // Err reports the same error
		if rows.Next() || rows.Err() != nil {
			t.Fatalf("a row, or an error: %v", rows.Err())
		}
	}
	for range 3 {
		confirm(store.callers.db)
		store.callers.ready.catchUp(t.Context())
	}
	confirm(other)
	if texts, runs := s.count(s.sent, "confirm"), s.count(s.ran, "confirm"); texts != 3 || runs != 1 {
		t.Errorf("sent as text %d times, run prepared %d times; want 3 and 1", texts, runs)
	}
}

func claimTimes(t *testing.T, s *Store, n int) {
	t.Helper()
	for range n {
		if err := claim(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
}

func (s *server) count(texts []string, name string) int {
	return len(slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return text != name }))
}

func (c *fakeConn) Prepare(text string) (driver.Stmt, error) {
	if c.server.prepare == nil {
		return nil, errors.New("not prepared")
	}
	if err := c.server.prepare(text); err != nil {
		return nil, err
	}
	c.server.prepared = append(c.server.prepared, text)
	return &fakeStmt{conn: c, text: text}, nil
}

type fakeStmt struct {
	conn *fakeConn
	text string
}

func (f *fakeStmt) Close() error                               { return nil }
func (f *fakeStmt) NumInput() int                              { return -1 }
func (f *fakeStmt) Exec([]driver.Value) (driver.Result, error) { return nil, errors.New("no context") }
func (f *fakeStmt) Query([]driver.Value) (driver.Rows, error)  { return nil, errors.New("no context") }

func (f *fakeStmt) QueryContext(context.Context, []driver.NamedValue) (driver.Rows, error) {
	f.conn.server.ran = append(f.conn.server.ran, f.text)
	return noRows{}, nil
}
