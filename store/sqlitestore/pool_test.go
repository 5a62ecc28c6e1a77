package sqlitestore_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/await"
	"github.com/sendoff-go/outbox/internal/dialecttest"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/sqlitestore"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// pools are what programs open by themselves, with modernc.org/sqlite.
var pools = map[string]struct {
	query   string
	conns   int    // 0: no limit
	refused string // a word of the error; "": it works
}{
	"as sql.Open has it":                     {"", 0, "busy timeout"},
	"several connections, immediate":         {"?_txlock=immediate", 4, "busy timeout"},
	"several connections, WAL":               {"?_pragma=journal_mode(WAL)", 2, "busy timeout"},
	"one connection":                         {"", 1, ""},
	"a busy timeout":                         {"?_pragma=busy_timeout(300000)", 0, ""},
	"a busy timeout and WAL":                 {"?_pragma=busy_timeout(300000)&_pragma=journal_mode(WAL)", 4, ""},
	"in memory, for each connection":         {"?mode=memory&_pragma=busy_timeout(300000)", 0, "in-memory"},
	"in memory, for one connection":          {"?mode=memory", 1, ""},
	"in memory, with a cache that is shared": {"?mode=memory&cache=shared", 0, ""},
}

func TestAPoolThatIsBoundToFailIsRefusedWithAdvice(t *testing.T) {
	for name, p := range pools {
		t.Run(name, func(t *testing.T) {
			open := func() *sql.DB {
				db, err := sql.Open("sqlite", "file:"+filepath.Join(t.TempDir(), "shop.db")+p.query)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = db.Close() }) // the tests before have said what is wrong
				db.SetMaxOpenConns(p.conns)
				return db
			}
			if p.refused == "" {
				placeOrders(t, open())
				return
			}
			for name, call := range map[string]func(store *sqlstore.Store) error{
				"Migrate": func(store *sqlstore.Store) error { return store.Migrate(t.Context()) },
				"Stats":   func(store *sqlstore.Store) error { _, err := store.Stats(t.Context()); return err },
				"Begin": func(store *sqlstore.Store) error {
					_, _, rollback, err := store.Begin(t.Context())
					if err == nil {
						_ = rollback() // it was to be refused
					}
					return err
				},
			} {
				// The check of a database in memory takes no more than a second, and
				// lets a pool pass that it cannot judge by then.
				await.Until(t, name+" is refused with advice", func() bool {
					err := call(testenv.Must(sqlitestore.New(open(), dialecttest.Unhurried())))
					if err != nil && strings.Contains(err.Error(), p.refused) && strings.Contains(err.Error(), "sqlitestore.Open") {
						return true
					}
					t.Logf("%s: error %v, expected %q and the advice to use sqlitestore.Open", name, err, p.refused)
					return false
				})
			}
		})
	}
}

// placeOrders is the README's snippet on a pool: writers and a relay at once.
func placeOrders(t *testing.T, db *sql.DB) {
	t.Helper()
	store := testenv.Must(sqlitestore.New(db, dialecttest.Unhurried()))
	if err := store.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	exec(t, db, "CREATE TABLE orders (n INTEGER)")
	const orders = 20
	got := make(chan string, orders)
	reg := outbox.NewRegistry()
	reg.Handle("OrderPlaced", func(_ context.Context, e outbox.Event) error {
		got <- e.ID
		return nil
	})
	r, err := relay.New(store, reg, relay.Config{})
	if err != nil {
		t.Fatal(err)
	}
	w := outbox.NewWriter(store, r.HotPath())
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	for range orders {
		err := w.InTx(ctx, func(ctx context.Context, tx *sql.Tx) error {
			if _, err := tx.ExecContext(ctx, "INSERT INTO orders SELECT count(*) FROM orders"); err != nil {
				return err
			}
			_, err := w.Write(ctx, tx, outbox.Event{Type: "OrderPlaced", AggregateType: "Order", AggregateID: "1", JSON: []byte("1")})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for range orders {
		select {
		case <-got:
		case <-time.After(await.Patience):
			t.Fatalf("an event was not delivered within %s", await.Patience)
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// Users learn the rule only when a transaction breaks it, so the error must
// state it.
func TestARefusedUpgradeOfALockSaysHowToAvoidIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "outbox.db")
	other := migrated(t, openDB(t, path))
	own, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(10000)")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = own.Close() }() // the tests before have said what is wrong
	tx, err := own.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }() // it was refused
	var n int
	if err := tx.QueryRowContext(t.Context(), "SELECT count(*) FROM outbox_event").Scan(&n); err != nil {
		t.Fatal(err)
	}
	if err := other.SetPaused(t.Context(), driver.PausableLane("T"), true, "test"); err != nil {
		t.Fatal(err)
	}
	_, err = outbox.NewWriter(testenv.Must(sqlitestore.New(own, dialecttest.Unhurried()))).Write(t.Context(), tx, outbox.Event{Type: "T", JSON: []byte("1")})
	if err == nil || !strings.Contains(err.Error(), "_txlock=immediate") || !strings.Contains(err.Error(), "sqlitestore.Open") {
		t.Errorf("error %v, expected the advice to take the write lock at the beginning", err)
	}
}
