package dialecttest

import (
	"database/sql"
	"errors"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// ownThings are what an application may have built around its event table: a
// column, an index, a view, a trigger of the table, and one that writes to it.
func ownThings(t *testing.T, s Subject, db *sql.DB) {
	t.Helper()
	exec(t, db, s.Adoptions[0].Make...)
	exec(t, db,
		"CREATE TABLE audit_log (id VARCHAR(36))",
		"CREATE TABLE orders (id VARCHAR(36))",
		"ALTER TABLE outbox_event ADD COLUMN note VARCHAR(64) DEFAULT 'none'",
		"ALTER TABLE outbox_event ADD COLUMN trace_id VARCHAR(128)",
		"UPDATE outbox_event SET note = event_id, trace_id = event_id",
		"CREATE INDEX own_note ON outbox_event (note)",
		"CREATE VIEW own_notes AS SELECT note FROM outbox_event")
	exec(t, db, s.OwnTriggers...)
}

func adoptionKeeps(t *testing.T, s Subject) {
	db := s.Fresh(t)()
	ownThings(t, s, db)
	store := migrated(t, s, db, sqlstore.Tables{})
	all, rest := count(t, db, "outbox_event"), count(t, db, "outbox_event WHERE note = event_id AND trace_id = event_id")
	if all == 0 || rest != all {
		t.Errorf("%d of %d rows have what their columns held", rest, all)
	}
	if n := count(t, db, "own_notes"); n != all {
		t.Errorf("the view shows %d of %d rows", n, all)
	}
	exec(t, db, "DELETE FROM audit_log", "INSERT INTO orders (id) VALUES ('of a trigger')")
	if n := count(t, db, "outbox_event WHERE event_id = 'of a trigger' AND note = 'none'"); n != 1 {
		t.Errorf("%d events that another table's trigger wrote", n)
	}
	if n := count(t, db, "audit_log WHERE id = 'of a trigger'"); n != 1 {
		t.Errorf("the table's own trigger ran %d times", n)
	}
	roundTrip(t, fresh(t, db, store))
}

// fresh empties the event table.
func fresh(t *testing.T, db *sql.DB, store *sqlstore.Store) *sqlstore.Store {
	t.Helper()
	exec(t, db, "DELETE FROM outbox_event")
	return store
}

func count(t *testing.T, db *sql.DB, what string) (n int) {
	t.Helper()
	must(t, db.QueryRowContext(t.Context(), "SELECT count(*) FROM "+what).Scan(&n))
	return n
}

// adoptionRefuses expects a table that cannot be adopted without loss to be
// left unchanged, with an error that says why.
func adoptionRefuses(t *testing.T, s Subject) {
	const child = `CREATE TABLE event_note (event_id VARCHAR(36),
		CONSTRAINT of_event FOREIGN KEY (event_id) REFERENCES outbox_event (event_id) ON DELETE CASCADE)`
	for name, c := range map[string]struct {
		make, undo []string
		want       []string
	}{
		"a foreign key to it": {
			make: append(s.Adoptions[0].Make, child, "INSERT INTO event_note VALUES ('new'), ('dead')"),
			undo: []string{"DROP TABLE event_note"},
			want: []string{"event_note", "foreign key", "drop"},
		},
		"a table that is not the specification's": {
			make: []string{"CREATE TABLE outbox_event (event_id VARCHAR(36) PRIMARY KEY, payload VARCHAR(99))", "INSERT INTO outbox_event VALUES ('a', 'b')"},
			undo: []string{"DROP TABLE outbox_event"},
			want: []string{"event_type, status, available_at, created_at", "rename"},
		},
		"columns that mean something else": {
			make: append(s.Adoptions[0].Make, "ALTER TABLE outbox_event ADD COLUMN locked_until VARCHAR(9)"),
			undo: []string{"ALTER TABLE outbox_event DROP COLUMN locked_until"},
			want: []string{"locked_until", "rename"},
		},
		"another key": {
			make: []string{strings.Replace(s.Adoptions[0].Make[0], "event_id VARCHAR(36) PRIMARY KEY", "event_id VARCHAR(36), id VARCHAR(9) PRIMARY KEY", 1)},
			undo: []string{"DROP TABLE outbox_event"},
			want: []string{"primary key", "event_id"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			db := s.Fresh(t)()
			exec(t, db, c.make...)
			store := newStore(t, s, db, sqlstore.Tables{})
			err := store.Migrate(t.Context())
			if !errors.Is(err, outbox.ErrSchema) {
				t.Fatalf("error %v, expected ErrSchema", err)
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not in the error: %v", want, err)
				}
			}
			if strings.Contains(name, "foreign key") {
				if n := count(t, db, "event_note"); n != 2 {
					t.Errorf("%d rows of the child table, expected 2", n)
				}
			}
			exec(t, db, c.undo...)
			must(t, store.Migrate(t.Context()))
		})
	}
}
