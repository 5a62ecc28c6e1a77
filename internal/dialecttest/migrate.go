package dialecttest

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

func migrateTwice(t *testing.T, s Subject) {
	db := s.Fresh(t)()
	store := migrated(t, s, db, sqlstore.Tables{})
	write(t, store, event())
	must(t, store.Migrate(t.Context()))
	if cs := claim(t, store); len(cs) != 1 {
		t.Errorf("%d events after migrating again, expected the one written before", len(cs))
	}
}

func migrateAtOnce(t *testing.T, s Subject) {
	open := s.Fresh(t)
	var stores []*sqlstore.Store
	for range 10 {
		stores = append(stores, newStore(t, s, open(), sqlstore.Tables{}))
	}
	var wg sync.WaitGroup
	errs := make([]error, len(stores))
	for i, store := range stores {
		wg.Go(func() { errs[i] = store.Migrate(t.Context()) })
	}
	wg.Wait()
	must(t, errors.Join(errs...))
	roundTrip(t, stores[9])
}

func migrationStatus(t *testing.T, s Subject) {
	store := newStore(t, s, s.Fresh(t)(), sqlstore.Tables{})
	check := func(applied bool) {
		t.Helper()
		states, err := store.MigrationStatus(t.Context())
		must(t, err)
		if last := states[len(states)-1].Version; last != sqlstore.SchemaVersion(s.Dialect) {
			t.Errorf("the last step is %d, expected %d", last, sqlstore.SchemaVersion(s.Dialect))
		}
		for _, state := range states {
			if state.AppliedAt.IsZero() == applied || state.Name == "" {
				t.Errorf("%+v, expected applied: %t", state, applied)
			}
		}
	}
	check(false)
	must(t, store.Migrate(t.Context()))
	check(true)
}

// stepsAbove is how many steps follow a version.
func stepsAbove(t *testing.T, store *sqlstore.Store, version int) (n int) {
	t.Helper()
	states, err := store.MigrationStatus(t.Context())
	must(t, err)
	for _, state := range states {
		if state.Version > version {
			n++
		}
	}
	return n
}

func migrateDown(t *testing.T, s Subject) {
	store := migrated(t, s, s.Fresh(t)(), sqlstore.Tables{})
	write(t, store, event())
	must(t, store.MigrateDown(t.Context(), 100))
	if _, err := store.Stats(t.Context()); !errors.Is(err, outbox.ErrSchema) {
		t.Errorf("stats: error %v, expected ErrSchema", err)
	}
	must(t, store.MigrateDown(t.Context(), 100))
	must(t, store.Migrate(t.Context()))
	roundTrip(t, store)
}

func addLedger(t *testing.T, s Subject) {
	db := s.Fresh(t)()
	store := migrated(t, s, db, sqlstore.Tables{})
	write(t, store, event())
	must(t, store.MigrateDown(t.Context(), stepsAbove(t, store, 1)))
	noLedger(t, store)
	must(t, store.Migrate(t.Context()))
	if !record(t, store, "a") {
		t.Error("the ledger is not empty")
	}
	if cs := claim(t, store); len(cs) != 1 {
		t.Errorf("%d events after the ledger was added, expected the one written before", len(cs))
	}
}

// noLedger expects consuming to be refused in a transaction that stays usable.
func noLedger(t *testing.T, store *sqlstore.Store) {
	t.Helper()
	tx, commit, rollback, err := store.Begin(t.Context())
	must(t, err)
	defer func() { _ = rollback() }() // after the commit it has nothing to do
	for range 2 {
		if _, err := store.Record(t.Context(), tx, "billing", []string{"a"}); !errors.Is(err, outbox.ErrSchema) {
			t.Fatalf("error %v, expected ErrSchema", err)
		}
	}
	must(t, commit())
}

func printedMigrations(t *testing.T, s Subject) {
	db := s.Fresh(t)()
	scripts, err := sqlstore.MigrationSQL(s.Dialect, sqlstore.Tables{Event: "printed"})
	must(t, err)
	for _, script := range scripts {
		exec(t, db, statements(script.Up)...)
	}
	store := newStore(t, s, db, sqlstore.Tables{Event: "printed"})
	roundTrip(t, store)
	must(t, store.Migrate(t.Context()))
	for i := len(scripts) - 1; i >= 0; i-- {
		exec(t, db, statements(scripts[i].Down)...)
	}
	if _, err := store.Stats(t.Context()); !errors.Is(err, outbox.ErrSchema) {
		t.Errorf("after the way down: error %v, expected ErrSchema", err)
	}
	must(t, store.Migrate(t.Context()))
}

// statements splits a printed script, as the tools that run it do.
func statements(script string) []string {
	var all []string
	for _, s := range strings.SplitAfter(script, ";\n\n") {
		if s = strings.TrimSpace(s); s != "" {
			all = append(all, s)
		}
	}
	return all
}

// besideOlder expects a program that knows nothing of destinations to keep
// working, and lanes to stay paused through the step in both directions.
func besideOlder(t *testing.T, s Subject) {
	db := s.Fresh(t)()
	store := migrated(t, s, db, sqlstore.Tables{})
	exec(t, db, "INSERT INTO outbox_control (lane, paused, changed_by) VALUES ('A', TRUE, 'ann')",
		"INSERT INTO outbox_instance (owner, version, lanes) VALUES ('older/1', '1', '[\"A\"]')")
	must(t, store.SetPaused(t.Context(), driver.PausableDestination("A"), true, "bob"))
	check := func(want ...driver.Pausable) {
		t.Helper()
		all, err := store.Paused(t.Context())
		must(t, err)
		var got []driver.Pausable
		for _, p := range all {
			got = append(got, p.Pausable)
		}
		if !slices.Equal(got, want) {
			t.Errorf("paused are %+v, expected %+v", got, want)
		}
		ins, err := store.Instances(t.Context())
		must(t, err)
		if len(ins) != 1 || len(ins[0].Lanes) != 1 || len(ins[0].Destinations) != 0 {
			t.Errorf("%+v, expected the older program", ins)
		}
	}
	check(driver.PausableDestination("A"), driver.PausableLane("A"))
	must(t, store.MigrateDown(t.Context(), stepsAbove(t, store, 5)))
	must(t, store.Migrate(t.Context()))
	check(driver.PausableLane("A"))
}
