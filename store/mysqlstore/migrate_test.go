package mysqlstore_test

import (
	"database/sql"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/dialecttest"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/mysqlstore"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// DDL cannot be rolled back, so a process that dies while it migrates leaves
// what it had done. The next one goes on from there.
func TestAMigrationThatWasCutShortIsFinished(t *testing.T) {
	onEach(t, func(t *testing.T, server string) {
		steps := fileStatements(t, "0001_create.up.sql")
		for done := range len(steps) + 1 {
			t.Run(fmt.Sprintf("after %d of %d statements", done, len(steps)), func(t *testing.T) {
				db := openDB(t, testenv.Database(t, server))
				for _, s := range steps[:done] {
					exec(t, db, s)
				}
				deliverOne(t, db, migrated(t, db))
			})
		}
	})
}

func TestAChangeOfTablesThatWasCutShortIsFinished(t *testing.T) {
	onEach(t, func(t *testing.T, server string) {
		steps := fileStatements(t, "0006_destinations.up.sql")
		for done := range len(steps) + 1 {
			if done > 0 && leavesNothing(steps[done-1]) {
				continue
			}
			t.Run(fmt.Sprintf("after %d of %d statements", done, len(steps)), func(t *testing.T) {
				address := testenv.Database(t, server)
				db := openDB(t, address)
				store := migrated(t, db)
				if err := store.SetPaused(t.Context(), driver.PausableLane("A"), true, "ann"); err != nil {
					t.Fatal(err)
				}
				if err := store.MigrateDown(t.Context(), 1); err != nil {
					t.Fatal(err)
				}
				dies := openDB(t, address)
				dies.SetMaxOpenConns(1) // with what its statements leave in the session
				for _, s := range steps[:done] {
					exec(t, dies, s)
				}
				if err := dies.Close(); err != nil {
					t.Fatal(err)
				}
				store = migrated(t, db)
				if ps, err := store.Paused(t.Context()); err != nil || len(ps) != 1 || ps[0].Pausable != driver.PausableLane("A") || ps[0].By != "ann" {
					t.Errorf("paused are %+v, error %v", ps, err)
				}
				if err := store.Announce(t.Context(), driver.Instance{Owner: "a/1", Destinations: []driver.InstanceDestination{{Name: "x"}}}); err != nil {
					t.Error(err)
				}
			})
		}
	})
}

func TestAnAdoptionThatWasCutShortIsFinished(t *testing.T) {
	onEach(t, func(t *testing.T, server string) {
		before, after := fileStatements(t, "adopt_before.sql"), fileStatements(t, "adopt_after.sql")
		create := fileStatements(t, "0001_create.up.sql")
		all := slices.Concat(before, create, after)
		for done := range len(all) + 1 {
			if done > 0 && leavesNothing(all[done-1]) {
				continue
			}
			t.Run(fmt.Sprintf("after %d of %d statements", done, len(all)), func(t *testing.T) {
				address := testenv.Database(t, server)
				db := openDB(t, address)
				for _, s := range adoption("", false, "IGNORED", "").Make {
					exec(t, db, s)
				}
				exec(t, db, "ALTER TABLE outbox_event ADD COLUMN note TEXT")
				exec(t, db, "UPDATE outbox_event SET note = event_id")
				dies := openDB(t, address)
				dies.SetMaxOpenConns(1) // with what its statements leave in the session
				for _, s := range all[:done] {
					exec(t, dies, s)
				}
				if err := dies.Close(); err != nil {
					t.Fatal(err)
				}
				store := migrated(t, db)
				sweep(t, store) // takes along what is dead
				checkAdopted(t, db, store)
				exec(t, db, "DELETE FROM outbox_event")
				deliverOne(t, db, store)
			})
		}
	})
}

// leavesNothing: what it does ends with its connection.
func leavesNothing(statement string) bool {
	word, _, _ := strings.Cut(statement, " ")
	return slices.Contains([]string{"SET", "PREPARE", "DEALLOCATE", "START"}, word)
}

// checkAdopted expects every row of the specification's table, with what its
// owner had added.
func checkAdopted(t *testing.T, db *sql.DB, store *sqlstore.Store) {
	t.Helper()
	letter, found, err := store.GetDead(t.Context(), "dead")
	if err != nil || !found || letter.Attempts != 10 || letter.Error != "gone" {
		t.Errorf("the dead one is %+v, found %t, error %v", letter, found, err)
	}
	cs, err := store.Claim(t.Context(), driver.ClaimRequest{Owner: "a", Lease: time.Hour, Wants: []driver.Want{{Lane: "OrderPlaced", Rows: 10}}})
	if err != nil || len(cs) != 3 {
		t.Errorf("claimed %+v, error %v: expected three", cs, err)
	}
	for _, c := range cs {
		if c.Recovered != 0 || c.Problem != nil {
			t.Errorf("%s: recovered %d, problem %v", c.EventID, c.Recovered, c.Problem)
		}
	}
	var n int
	if err := db.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM outbox_event WHERE note = event_id").Scan(&n); err != nil || n != 6 {
		t.Errorf("%d rows have their note, error %v: expected 6", n, err)
	}
}

// fileStatements reads a file of migrations as the engine does.
func fileStatements(t *testing.T, file string) []string {
	t.Helper()
	text, err := fs.ReadFile(mysqlstore.Dialect().SQL, "migrations/"+file)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for s := range strings.SplitSeq(comments.ReplaceAllString(string(text), "")+"\n", ";\n\n") {
		if s = strings.TrimSpace(s); s != "" {
			all = append(all, s)
		}
	}
	return all
}

// deliverOne expects a table on which everything works, defaults included.
func deliverOne(t *testing.T, db *sql.DB, store *sqlstore.Store) {
	t.Helper()
	exec(t, db, "INSERT INTO outbox_event (event_type, payload) VALUES ('T', '{}')")
	owner := driver.NewOwner("a")
	cs, err := store.Claim(t.Context(), driver.ClaimRequest{Owner: owner, Lease: time.Hour, Wants: []driver.Want{{Lane: "T", Rows: 10}}})
	if err != nil || len(cs) != 1 || cs[0].Problem != nil || len(cs[0].EventID) != 36 {
		t.Fatalf("claimed %+v, error %v", cs, err)
	}
	if stale, err := store.Settle(t.Context(), owner, []driver.Outcome{{Held: cs[0].Held, Kind: driver.Done}}, true); err != nil || len(stale) > 0 {
		t.Fatalf("stale %v, error %v", stale, err)
	}
}

func sweep(t *testing.T, store *sqlstore.Store) {
	t.Helper()
	if _, err := store.Sweep(t.Context(), 100*365*24*time.Hour, 100); err != nil {
		t.Fatal(err)
	}
}

// The schema of a table is a database here. It may differ from the
// connection's, for new tables and for adopted ones.
func TestTablesMayLiveInAnotherDatabase(t *testing.T) {
	onEach(t, func(t *testing.T, server string) {
		address := testenv.Database(t, server)
		db := openDB(t, address)
		ops := databaseName(t, testenv.Database(t, server))
		for _, adopt := range []bool{false, true} {
			tables := sqlstore.Tables{Schema: ops, Event: fmt.Sprintf("Select_%t", adopt)}
			name := fmt.Sprintf("%s.Select_%t", ops, adopt)
			if adopt {
				for _, s := range adoption("", false, "IGNORED", "").Make {
					exec(t, db, strings.ReplaceAll(s, "outbox_event", name))
				}
			}
			config := dialecttest.Unhurried()
			config.Tables = tables
			store, err := mysqlstore.New(db, config)
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if err := store.Migrate(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			writeAll(t, outbox.NewWriter(store), outbox.Event{Type: "T", JSON: []byte("1")}, outbox.Event{Type: "T", JSON: []byte("2")})
			stats, err := store.Stats(t.Context())
			if err != nil || stats.Lanes[len(stats.Lanes)-1].Waiting.N != 2 {
				t.Errorf("%+v, error %v", stats, err)
			}
			exec(t, db, "SELECT seq, claim_no, lane FROM "+name)
			if err := store.MigrateDown(t.Context(), 10); err != nil {
				t.Fatal(err)
			}
		}
	})
}
