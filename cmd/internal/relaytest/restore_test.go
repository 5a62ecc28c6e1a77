package relaytest_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	_ "modernc.org/sqlite" // registers the driver "sqlite"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/inbox"
	"github.com/sendoff-go/outbox/store/sqlitestore"
)

// A copy is made while B waits. Afterwards B and C are delivered, and then the
// copy takes the place of the database, as docs/deployment.md has it.
func TestARestoredDatabaseDeliversAgainUnderTheSameIDs(t *testing.T) {
	folder := t.TempDir()
	open := func(name string) *dburl.Handle {
		return openDatabase(t, "sqlite://"+filepath.Join(folder, name), dburl.Options{Create: true})
	}
	billing := newBilling(t, filepath.Join(folder, "billing.db"))

	shop := open("shop.db")
	deliver := func(h *dburl.Handle, es ...outbox.Event) {
		t.Helper()
		writeDB(t, h.Writer(), es...)
		reg := outbox.NewRegistry()
		reg.Handle("X", billing.listen)
		_, stop := runRelay(t, h, reg, fast)
		awaitSettled(t, h, "X")
		stop()
	}
	event := func(id string) outbox.Event { return outbox.Event{ID: id, Type: "X", JSON: []byte(`{}`)} }
	deliver(shop, event("A"))
	writeDB(t, shop.Writer(), event("B"))
	if err := shop.Exec(t.Context(), `VACUUM INTO '`+filepath.Join(folder, "backup.db")+`'`); err != nil {
		t.Fatal(err)
	}
	deliver(shop, event("C"))
	billing.want(t, []string{"A", "B", "C"}, []string{"A", "B", "C"})

	// B comes again and takes no effect. A does not come, C exists no more, and D,
	// whose seq was C's, is an event like any other.
	restored := open("backup.db")
	deliver(restored, event("D"))
	billing.want(t, []string{"A", "B", "B", "C", "D"}, []string{"A", "B", "C", "D"})
}

// billing consumes each event once, in a database of its own.
type billing struct {
	db       *sql.DB
	consumer *inbox.Consumer[*sql.Tx]

	mu   sync.Mutex
	came []string
}

func newBilling(t *testing.T, path string) *billing {
	t.Helper()
	db, err := sqlitestore.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	store, err := sqlitestore.New(db, sqlitestore.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), `CREATE TABLE invoices (event_id TEXT)`); err != nil {
		t.Fatal(err)
	}
	consumer, err := inbox.New(store, inbox.Config{Group: "billing"})
	if err != nil {
		t.Fatal(err)
	}
	return &billing{db: db, consumer: consumer}
}

func (b *billing) listen(ctx context.Context, e outbox.Event) error {
	b.mu.Lock()
	b.came = append(b.came, e.ID)
	b.mu.Unlock()
	return b.consumer.Consume(ctx, e.Received(), func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO invoices VALUES (?)`, e.ID)
		return err
	})
}

// want checks which events came, and which had an effect.
func (b *billing) want(t *testing.T, came, effects []string) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	got := slices.Sorted(slices.Values(b.came))
	if !slices.Equal(got, came) {
		t.Errorf("%q came, want %q", got, came)
	}
	rows, err := b.db.QueryContext(t.Context(), `SELECT event_id FROM invoices ORDER BY event_id`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	var invoices []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			t.Fatal(err)
		}
		invoices = append(invoices, id)
	}
	if err := rows.Err(); err != nil || !slices.Equal(invoices, effects) {
		t.Errorf("%q have an invoice, want %q: %v", invoices, effects, err)
	}
}
