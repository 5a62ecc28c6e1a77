package sqlitestore_test

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/dialecttest"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/sqlitestore"
)

func TestOpenSetsWhatAnOutboxWants(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct{ name, path, file string }{
		{"a path", filepath.Join(dir, "a.db"), "a.db"},
		{"a path with odd characters", filepath.Join(dir, "50% of #1? no+.db"), "50% of #1? no+.db"},
		{"a URI", "file:" + filepath.Join(dir, "b.db") + "?cache=private", "b.db"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			db := openDB(t, tt.path)
			for pragma, want := range map[string]string{
				"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "busy_timeout": "10000",
			} {
				var got string
				if err := db.QueryRowContext(t.Context(), "PRAGMA "+pragma).Scan(&got); err != nil || got != want {
					t.Errorf("%s is %q, error %v; expected %q", pragma, got, err, want)
				}
			}
			if _, err := os.Stat(filepath.Join(dir, tt.file)); err != nil {
				t.Error(err)
			}
			if n := db.Stats().MaxOpenConnections; n != 1 {
				t.Errorf("%d connections, expected one", n)
			}
		})
	}
	if _, err := sqlitestore.Open("sqlite", "file:a.db?%zz"); err == nil {
		t.Error("unreadable parameters were accepted")
	}
}

func TestAnInMemoryDatabaseLivesAsLongAsItsPool(t *testing.T) {
	store := migrated(t, openDB(t, ":memory:"))
	for range 3 {
		if _, err := store.Stats(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// Two pools are two processes: one that reads and then writes must not fail
// because the other wrote in between. The driver's own default would.
func TestATransactionTakesTheWriteLockWhenItBegins(t *testing.T) {
	path := filepath.Join(t.TempDir(), "outbox.db")
	store := migrated(t, openDB(t, path))
	plain, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(1)")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := plain.Close(); err != nil {
			t.Error(err)
		}
	}()
	other := testenv.Must(sqlitestore.New(plain, dialecttest.Unhurried()))
	_, commit, _, err := other.Begin(t.Context()) // a deferred transaction, by its URI
	if err != nil {
		t.Fatal(err)
	}
	second, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(1)")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := second.Close(); err != nil {
			t.Error(err)
		}
	}()
	if _, _, _, err := testenv.Must(sqlitestore.New(second, dialecttest.Unhurried())).Begin(t.Context()); !errors.Is(err, outbox.ErrStoreDown) {
		t.Errorf("a second writer: error %v, expected ErrStoreDown", err)
	}
	if err := commit(); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Stats(t.Context()); err != nil {
		t.Error(err)
	}
}

// CURRENT_TIMESTAMP is text, and so is what other languages write.
func TestTimesThatOthersWriteAsTextCount(t *testing.T) {
	db := openDB(t, filepath.Join(t.TempDir(), "outbox.db"))
	store := migrated(t, db)
	for id, at := range map[string]string{
		"a": "CURRENT_TIMESTAMP", "b": "'2024-02-29T12:00:00Z'", "c": "'2024-02-29 13:00:00.5+01:00'", "d": "1709208000000",
	} {
		exec(t, db, `INSERT INTO outbox_event (event_id, event_type, payload, available_at, created_at, occurred_at)
			VALUES ('`+id+`', 'T', '1', `+at+`, `+at+`, `+at+`)`)
	}
	exec(t, db, `INSERT INTO outbox_event (event_type, payload, available_at) VALUES ('T', '1', datetime('now', '+1 day'))`)
	cs, err := store.Claim(t.Context(), driver.ClaimRequest{Owner: "a", Lease: time.Hour, Wants: []driver.Want{{Lane: "T", Rows: 10}}})
	if err != nil || len(cs) != 4 {
		t.Fatalf("claimed %d, error %v: expected the four that are due", len(cs), err)
	}
	noon := time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC)
	for _, c := range cs {
		want := map[string]time.Time{"b": noon, "c": noon.Add(500 * time.Millisecond), "d": noon}[c.EventID]
		if c.EventID != "a" && (c.Position.AvailableAt != want || c.CreatedAt != want || c.Event.OccurredAt != want) {
			t.Errorf("%s is due at %s, created %s, occurred %s; expected %s", c.EventID, c.Position.AvailableAt, c.CreatedAt, c.Event.OccurredAt, want)
		}
	}
	exec(t, db, `UPDATE outbox_event SET status = 2, available_at = CURRENT_TIMESTAMP, locked_by = NULL, locked_until = NULL WHERE event_id = 'a'`)
	cs, err = store.Claim(t.Context(), driver.ClaimRequest{Owner: "a", Lease: time.Hour, Wants: []driver.Want{{Lane: "T", Rows: 10}}})
	if err != nil || len(cs) != 1 || cs[0].EventID != "a" {
		t.Errorf("claimed %v, error %v: expected the one that was put back", cs, err)
	}
	if _, err := db.ExecContext(t.Context(), `INSERT INTO outbox_event (event_type, payload, available_at) VALUES ('T', '1', 'soon')`); err == nil {
		t.Error("an invalid time was accepted, and would never be due")
	}
}
