package pgstore_test

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/dialecttest"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/pgstore"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

func TestAServerThatBecameAReplicaIsLeft(t *testing.T) {
	address := testenv.Database(t, testenv.Postgres15)
	db := openDB(t, address)
	store := migrated(t, db)
	name := databaseName(t, address)
	exec(t, db, "ALTER DATABASE "+name+" SET default_transaction_read_only = on")
	replica := openDB(t, address)
	replica.SetMaxOpenConns(1)
	if err := replica.PingContext(t.Context()); err != nil { // its one connection is read-only
		t.Fatal(err)
	}
	stale := testenv.Must(pgstore.New(replica, dialecttest.Unhurried()))
	if _, err := stale.Sweep(t.Context(), 0, 1); !errors.Is(err, outbox.ErrStoreDown) {
		t.Errorf("error %v, expected ErrStoreDown while every connection is read-only", err)
	}
	if err := replica.PingContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	exec(t, openDB(t, with(t, address, "default_transaction_read_only", "off")),
		"ALTER DATABASE "+name+" SET default_transaction_read_only = off")
	if _, err := stale.Sweep(t.Context(), 0, 1); err != nil {
		t.Errorf("error %v, expected the read-only connection to be replaced", err)
	}
	if _, err := store.Sweep(t.Context(), 0, 1); err != nil {
		t.Error(err)
	}
}

// A view has no system columns that could prove anything.
func TestAViewIsWrittenThroughAndProvesNothing(t *testing.T) {
	db := openDB(t, testenv.Database(t, testenv.Postgres15))
	migrated(t, db)
	exec(t, db, "ALTER TABLE outbox_event RENAME TO plain; CREATE VIEW outbox_event AS SELECT * FROM plain")
	store := testenv.Must(pgstore.New(db, dialecttest.Unhurried()))
	tx, commit, rollback, err := store.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rollback() }() // does nothing after the commit
	answers, err := store.Insert(t.Context(), tx, outbox.InsertRequest{Events: []outbox.Event{
		{ID: "a", Type: "T", JSON: []byte("1")}, {ID: "b", Type: "T", JSON: []byte("2")}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range answers {
		if a.Seq == 0 || a.TopLevel {
			t.Errorf("%+v, expected a seq and no proof", a)
		}
	}
	if err := commit(); err != nil {
		t.Fatal(err)
	}
}

// A writer needs rights to nothing but the event table.
func TestAWriterNeedsOnlyTheRightToInsert(t *testing.T) {
	db := openDB(t, testenv.Database(t, testenv.Postgres15))
	migrated(t, db)
	db.SetMaxOpenConns(1) // the role is the session's
	role := "writer_" + strings.ToLower(outbox.NewID())
	exec(t, db, "CREATE ROLE "+role)
	defer exec(t, db, "RESET ROLE; DROP OWNED BY "+role+"; DROP ROLE "+role)
	exec(t, db, "GRANT INSERT, SELECT (event_id, seq, xmin) ON outbox_event TO "+role)
	exec(t, db, "SET ROLE "+role)
	w := outbox.NewWriter(testenv.Must(pgstore.New(db, dialecttest.Unhurried())))
	if err := w.InTx(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
		_, err := w.Write(ctx, tx, outbox.Event{Type: "T", JSON: []byte("1")})
		return err
	}); err != nil {
		t.Error(err)
	}
}

// Claims, renewals and settles of many workers return no error, even if an
// administrator made SERIALIZABLE the default: the relay's statements set the
// isolation they need.
func TestManyWorkersDoNotDisturbEachOther(t *testing.T) {
	for _, isolation := range []string{"read committed", "serializable"} {
		t.Run(isolation, func(t *testing.T) {
			address := with(t, testenv.Database(t, testenv.Postgres15), "default_transaction_isolation", isolation)
			manyWorkers(t, migrated(t, openDB(t, address)))
		})
	}
}

func manyWorkers(t *testing.T, store *sqlstore.Store) {
	w := outbox.NewWriter(store)
	const workers, events = 4, 2000
	if err := w.InTx(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
		es := make([]outbox.Event, events)
		for i := range es {
			es[i] = outbox.Event{Type: "T", JSON: []byte("1")}
		}
		_, err := w.WriteAll(ctx, tx, es...)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() { drain(t, store) })
	}
	wg.Wait()
	stats, err := store.Stats(t.Context())
	if err != nil || stats.Done.N != events {
		t.Errorf("%+v, error %v: expected %d done", stats, err, events)
	}
}

func drain(t *testing.T, store *sqlstore.Store) {
	owner := driver.NewOwner("worker")
	for {
		cs, err := store.Claim(t.Context(), driver.ClaimRequest{Owner: owner, Lease: time.Hour, Wants: []driver.Want{{Lane: "T", Rows: 50}}})
		if err != nil {
			t.Error(err)
			return
		}
		if len(cs) == 0 {
			return
		}
		var renewals []driver.Renewal
		var outcomes []driver.Outcome
		for i := range cs { // against the order in which others lock
			c := cs[len(cs)-1-i]
			renewals = append(renewals, driver.Renewal{Held: c.Held})
			outcomes = append(outcomes, driver.Outcome{Held: c.Held, Kind: driver.Done})
		}
		// Another worker that passed over a row on a busy machine may have it locked
		// for longer than these calls wait.
		var locked *driver.LockedError
		if lost, err := store.Renew(t.Context(), owner, time.Hour, renewals); (err != nil && !errors.As(err, &locked)) || len(lost) > 0 {
			t.Errorf("lost %v, error %v", lost, err)
		}
		for len(outcomes) > 0 {
			stale, err := store.Settle(t.Context(), owner, outcomes, true)
			if (err != nil && !errors.As(err, &locked)) || len(stale) > 0 {
				t.Errorf("stale %v, error %v", stale, err)
				return
			}
			if err == nil {
				break
			}
			outcomes = slices.DeleteFunc(outcomes, func(o driver.Outcome) bool { return !slices.Contains(locked.Rows, o.Held) })
		}
	}
}

func databaseName(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimPrefix(u.Path, "/")
}
