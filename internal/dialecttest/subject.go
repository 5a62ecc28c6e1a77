package dialecttest

import (
	"context"
	"database/sql"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// Subject is a dialect under test.
type Subject struct {
	Dialect sqlstore.Dialect
	// Fresh makes an empty database and returns a function that opens a pool on
	// it.
	Fresh func(t testing.TB) (open func() *sql.DB)
	// Adoptions are tables that another program made.
	Adoptions []Adoption
	// Unkept and Kept are tables of other programs with types that only this
	// database has, which are refused or adopted.
	Unkept map[string]Unkept
	Kept   map[string]Kept
	// Bytes is the type of a column of bytes. Default: VARBINARY(999).
	Bytes string
	// Analyze updates the statistics of outbox_event. Default: ANALYZE
	// outbox_event.
	Analyze string
	// OwnTriggers make a trigger that notes the id of each event in audit_log,
	// and one that writes an event for each row of orders, with its id.
	OwnTriggers []string
	// IndexesShareNames says that the name of an index is unique in the
	// database, not only in its table.
	IndexesShareNames bool
	// Schemas says that the database has schemas.
	Schemas bool
	// Large is the size of a large payload. Default: 8 MiB.
	Large int
	// NoAdoption says that the dialect refuses every table of another program.
	NoAdoption bool
}

// Run tests a dialect.
func Run(t *testing.T, s Subject) {
	for name, check := range map[string]func(t *testing.T, s Subject){
		"migrating twice is fine":                                     migrateTwice,
		"ten processes that migrate at once agree":                    migrateAtOnce,
		"a migration that is locked out says by whom":                 lockedOut,
		"the status says what is applied":                             migrationStatus,
		"a step down says what it would lose":                         losses,
		"what cannot be audited is not done":                          auditedOrUndone,
		"after migrating down there is nothing":                       migrateDown,
		"tables without a ledger get one and keep their rows":         addLedger,
		"a program that knows no destinations goes on":                besideOlder,
		"printed migrations make the same tables":                     printedMigrations,
		"a write without tables leaves the transaction usable":        writeWithoutTables,
		"a write to tables of an older version is refused":            olderVersion,
		"tables of a newer version are used":                          newerVersion,
		"names may be keywords and of any case":                       oddNames,
		"a search for a text goes on where its last page ended":       longSearch,
		"a filter of events goes on where its last page ended":        longFilter,
		"a filter of the audit log goes on where its page ended":      longAudit,
		"a filter of jobs goes on where its last page ended":          longJobs,
		"a filter of groups goes on where its last page ended":        longGroups,
		"a page of large payloads is short and has a next one":        largePages,
		"stats of many lanes look at few rows and count all":          statsOfManyLanes,
		"a replay copies events with any headers":                     copiesOfAnyHeaders,
		"two outboxes in one database do not see each other":          twoOutboxes,
		"a transaction of an ORM carries events":                      ormWrites,
		"a transaction of an ORM carries the ledger":                  ormConsumes,
		"the dialect is detected":                                     detected,
		"a foreign INSERT with only type and payload gets its own id": bareInsert,
	} {
		t.Run(name, func(t *testing.T) { check(t, s) })
	}
	if s.Schemas {
		t.Run("an outbox may live in a schema of its own", func(t *testing.T) { ownSchema(t, s) })
	}
	if s.Dialect.Name != "SQLite" { // which locks the whole database
		t.Run("a replay waits for no lock", func(t *testing.T) { lockedDelivered(t, s) })
	}
	if !s.Dialect.NoSchemas {
		t.Run("a schema that does not exist is named, with its statement", func(t *testing.T) { noSchema(t, s) })
	}
	if s.NoAdoption {
		t.Run("a table of another program is refused, and kept", func(t *testing.T) { adoptionRefused(t, s) })
		return
	}
	RunAdoptions(t, s)
	t.Run("adopting says beforehand what it means", func(t *testing.T) { adoptionPlan(t, s) })
	t.Run("adopting keeps what an application has added", func(t *testing.T) { adoptionKeeps(t, s) })
	t.Run("adopting refuses what it would lose", func(t *testing.T) { adoptionRefuses(t, s) })
	t.Run("adopting refuses values that cannot be kept", func(t *testing.T) { adoptionRefusesValues(t, s) })
	t.Run("adopting names an index whose name is taken", func(t *testing.T) { adoptionNamesTakenIndex(t, s) })
	t.Run("adopting goes on once its obstacle is gone", func(t *testing.T) { adoptionAfterMending(t, s) })
	t.Run("adopting keeps values of other types", func(t *testing.T) { adoptionKeepsValues(t, s) })
}

// RunAdoptions tests only the adoption of other programs' tables.
func RunAdoptions(t *testing.T, s Subject) {
	t.Helper()
	for _, a := range s.Adoptions {
		t.Run("adopting "+a.Name, func(t *testing.T) { a.check(t, s) })
	}
	for name, u := range s.Unkept {
		t.Run("adopting refuses "+name, func(t *testing.T) { u.check(t, s) })
	}
	for name, k := range s.Kept {
		t.Run("adopting keeps "+name, func(t *testing.T) { k.check(t, s) })
	}
}

const lane = "OrderPlaced"

func event() outbox.Event { return outbox.Event{Type: lane, JSON: []byte(`{"n": 1}`)} }

func newStore(t *testing.T, s Subject, db *sql.DB, tables sqlstore.Tables) *sqlstore.Store {
	t.Helper()
	store, err := sqlstore.New(db, s.Dialect, unhurried(tables))
	must(t, err)
	return store
}

func migrated(t *testing.T, s Subject, db *sql.DB, tables sqlstore.Tables) *sqlstore.Store {
	t.Helper()
	store := newStore(t, s, db, tables)
	must(t, store.Migrate(t.Context()))
	return store
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func exec(t testing.TB, db *sql.DB, statements ...string) {
	t.Helper()
	for _, statement := range statements {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%v, in: %s", err, statement)
		}
	}
}

func write(t *testing.T, store *sqlstore.Store, es ...outbox.Event) (ids []string) {
	t.Helper()
	w := outbox.NewWriter(store)
	must(t, w.InTx(t.Context(), func(ctx context.Context, tx *sql.Tx) (err error) {
		ids, err = w.WriteAll(ctx, tx, es...)
		return err
	}))
	return ids
}

const owner driver.Owner = "test/1"

func claim(t *testing.T, store *sqlstore.Store) []driver.Claimed {
	t.Helper()
	cs, err := store.Claim(t.Context(), driver.ClaimRequest{Owner: owner, Lease: time.Hour, Wants: []driver.Want{{Lane: lane, Rows: 1000}}})
	must(t, err)
	return cs
}

func settle(t *testing.T, store *sqlstore.Store, kind driver.OutcomeKind, cs ...driver.Claimed) {
	t.Helper()
	var outcomes []driver.Outcome
	for _, c := range cs {
		outcomes = append(outcomes, driver.Outcome{Held: c.Held, Kind: kind, Error: "no"})
	}
	stale, err := store.Settle(t.Context(), owner, outcomes, true)
	must(t, err)
	if len(stale) > 0 {
		t.Fatalf("stale: %v", stale)
	}
}

// record notes an event of a consumer group and returns whether it was new.
func record(t *testing.T, store *sqlstore.Store, id string) bool {
	t.Helper()
	tx, commit, _, err := store.Begin(t.Context())
	must(t, err)
	fresh, err := store.Record(t.Context(), tx, "billing", []string{id})
	must(t, err)
	must(t, commit())
	return fresh[0]
}

// roundTrip uses every table of a store.
func roundTrip(t *testing.T, store *sqlstore.Store) {
	t.Helper()
	ctx := t.Context()
	ids := write(t, store, event(), event())
	cs := claim(t, store)
	if len(cs) != len(ids) {
		t.Fatalf("claimed %d of %d", len(cs), len(ids))
	}
	settle(t, store, driver.Done, cs[0])
	settle(t, store, driver.Dead, cs[1])
	results, err := store.ReplayDead(ctx, driver.DeadIDs(cs[1].EventID))
	must(t, err)
	if len(results) != 1 || results[0].Status != driver.DeadApplied {
		t.Fatalf("replay: %v", results)
	}
	settle(t, store, driver.Done, claim(t, store)...)
	must(t, store.SetPaused(ctx, driver.PausableLane(lane), true, "ann"))
	must(t, store.SetPaused(ctx, driver.PausableLane(lane), false, "ann"))
	if entries, _, err := store.ListAudit(ctx, driver.AuditFilter{}, 0, 10); err != nil || len(entries) != 2 {
		t.Fatalf("%d entries of the audit log, error %v; expected 2", len(entries), err)
	}
	must(t, store.Announce(ctx, driver.Instance{Owner: owner}))
	must(t, store.Withdraw(ctx, owner))
	must(t, store.Notify(ctx, []string{lane}))
	if id := outbox.NewID(); !record(t, store, id) || record(t, store, id) {
		t.Fatal("consumed: expected new, then known")
	}
	if _, err := store.Forget(ctx, "billing", 0, 1000); err != nil {
		t.Fatal(err)
	}
	stats, err := store.Stats(ctx)
	must(t, err)
	if stats.Done.N != 2 {
		t.Fatalf("%+v: expected two done", stats)
	}
}

// Unhurried is the configuration of stores whose calls must succeed, however
// busy the machine is. A limit that a call must run into is only for that call.
func Unhurried() sqlstore.Config { return unhurried(sqlstore.Tables{}) }

func unhurried(tables sqlstore.Tables) sqlstore.Config {
	const limit = 90 * time.Second
	return sqlstore.Config{Tables: tables, StatementTimeout: limit, SweepTimeout: limit}
}
