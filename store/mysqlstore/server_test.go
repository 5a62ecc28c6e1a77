package mysqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/dialecttest"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/mysqlstore"
)

// The server ends a connection before it answers the COMMIT.
func TestACommitWithoutAnAnswerIsUnknown(t *testing.T) {
	onEach(t, func(t *testing.T, server string) {
		db := openDB(t, testenv.Database(t, server))
		store := migrated(t, db)
		tx, commit, rollback, err := store.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = rollback() }() // its connection is gone
		var id int64
		if err := tx.QueryRowContext(t.Context(), "SELECT CONNECTION_ID()").Scan(&id); err != nil {
			t.Fatal(err)
		}
		exec(t, db, fmt.Sprintf("KILL %d", id))
		if err := commit(); !errors.Is(err, outbox.ErrCommitUnknown) {
			t.Errorf("error %v, expected ErrCommitUnknown", err)
		}
	})
}

// A server that became a replica, or a session that may only read.
func TestASessionThatMayOnlyReadIsReportedAsDown(t *testing.T) {
	for server, variable := range map[string]string{
		testenv.MySQL80: "transaction_read_only", testenv.MySQL9: "transaction_read_only", testenv.MariaDB: "tx_read_only",
	} {
		t.Run(server, func(t *testing.T) {
			address := testenv.Database(t, server)
			migrated(t, openDB(t, address))
			store := testenv.Must(mysqlstore.New(openDB(t, with(t, address, variable, "1")), dialecttest.Unhurried()))
			if err := store.Announce(t.Context(), driver.Instance{Owner: "a"}); !errors.Is(err, outbox.ErrStoreDown) {
				t.Errorf("error %v, expected ErrStoreDown", err)
			}
		})
	}
}

// A writer needs rights to nothing but the event table.
func TestAWriterNeedsOnlyTheRightToInsert(t *testing.T) {
	onEach(t, func(t *testing.T, server string) {
		address := testenv.Database(t, server)
		db := openDB(t, address)
		migrated(t, db)
		user, own := newUser(t, address, db)
		exec(t, db, "GRANT INSERT, SELECT (event_id, seq) ON outbox_event TO "+user)
		w := outbox.NewWriter(testenv.Must(mysqlstore.New(openDB(t, own), dialecttest.Unhurried())))
		writeAll(t, w, outbox.Event{Type: "T", JSON: []byte("1")})
		writeAll(t, w, outbox.Event{Type: "T", JSON: []byte("2")}, outbox.Event{Type: "T", JSON: []byte("3")})
	})
}

// newUser creates a user without rights, and returns its name and URL.
func newUser(t testing.TB, address string, db *sql.DB) (user, own string) {
	t.Helper()
	user = "u_" + strings.ToLower(outbox.NewID())
	exec(t, db, "CREATE USER "+user+" IDENTIFIED BY 'secret'")
	t.Cleanup(func() {
		if _, err := db.ExecContext(context.Background(), "DROP USER "+user); err != nil {
			t.Error(err)
		}
	})
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword(user, "secret")
	return user, u.String()
}

// Collations that all servers know ignore spaces at the end.
func TestSpacesAtTheEndOfALaneCount(t *testing.T) {
	onEach(t, func(t *testing.T, server string) {
		store := migrated(t, openDB(t, testenv.Database(t, server)))
		w := outbox.NewWriter(store)
		for _, lane := range []string{"a", "a "} {
			writeAll(t, w, outbox.Event{Type: lane, JSON: []byte("1")})
			cs, err := store.Claim(t.Context(), driver.ClaimRequest{Owner: "a", Lease: time.Hour, Wants: []driver.Want{{Lane: lane, Rows: 10}}})
			if err != nil || len(cs) != 1 {
				t.Fatalf("claimed %v, error %v", cs, err)
			}
			if stale, err := store.Settle(t.Context(), "a", []driver.Outcome{{Held: cs[0].Held, Kind: driver.Dead, Error: "x" + lane}}, true); err != nil || len(stale) > 0 {
				t.Fatalf("stale %v, error %v", stale, err)
			}
		}
		for _, f := range []driver.DeadFilter{{Lane: "a"}, {Lane: "a "}, {Error: "xa "}} {
			if ls, _, err := store.ListDead(t.Context(), f, nil, 10); err != nil || len(ls) != 1 {
				t.Errorf("%+v: %d letters, error %v: expected one", f, len(ls), err)
			}
			if n, err := store.CountDead(t.Context(), f); err != nil || n.N != 1 {
				t.Errorf("%+v: counted %d, error %v: expected one", f, n.N, err)
			}
		}
		if ls, _, err := store.ListDead(t.Context(), driver.DeadFilter{Lane: " "}, nil, 10); err != nil || len(ls) != 0 {
			t.Errorf("a lane of one space: %d letters, error %v: expected none", len(ls), err)
		}
		if err := store.SetPaused(t.Context(), driver.PausableLane("a "), true, "ann"); err != nil {
			t.Fatal(err)
		}
		if err := store.SetPaused(t.Context(), driver.PausableLane("a"), false, "ann"); err != nil {
			t.Fatal(err)
		}
		if paused, err := store.Paused(t.Context()); err != nil || len(paused) != 1 || paused[0].Name != "a " {
			t.Errorf("paused %+v, error %v", paused, err)
		}
		if stats, err := store.Stats(t.Context()); err != nil || len(stats.Lanes) != 2 {
			t.Errorf("%+v, error %v: expected two lanes", stats, err)
		}
	})
}

// A relay of many event types claims from all of them in one statement.
func TestManyLanesAreClaimedTogether(t *testing.T) {
	onEach(t, func(t *testing.T, server string) {
		store := migrated(t, openDB(t, testenv.Database(t, server)))
		var wants []driver.Want
		var es []outbox.Event
		for range 400 {
			lane := outbox.NewID()
			wants = append(wants, driver.Want{Lane: lane, Rows: 3, Bytes: 10})
			es = append(es, outbox.Event{Type: lane, JSON: []byte(`"12345"`)}, outbox.Event{Type: lane, JSON: []byte(`"678"`)})
		}
		writeAll(t, outbox.NewWriter(store), es...)
		for range 2 { // only one of the two fits
			cs, err := store.Claim(t.Context(), driver.ClaimRequest{Owner: "a", Lease: time.Hour, Wants: wants})
			if err != nil || len(cs) != len(wants) {
				t.Fatalf("claimed %d, error %v: expected one of each lane", len(cs), err)
			}
		}
		if stats, err := store.Stats(t.Context()); err != nil || len(stats.Lanes) != len(wants) || stats.Held.N != int64(len(es)) {
			t.Errorf("%d lanes, %d held, error %v", len(stats.Lanes), stats.Held.N, err)
		}
	})
}

func databaseName(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimPrefix(u.Path, "/")
}
