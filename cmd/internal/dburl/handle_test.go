package dburl

import (
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/testenv"
)

// eachDatabase runs f on every database and driver that can be had.
func eachDatabase(t *testing.T, f func(t *testing.T, address, driver string)) {
	t.Run("sqlite", func(t *testing.T) {
		f(t, "sqlite://"+filepath.ToSlash(filepath.Join(t.TempDir(), "shop.db")), "")
	})
	for _, driver := range []string{"pgx", "sql"} {
		t.Run("postgres "+driver, func(t *testing.T) { f(t, testenv.Database(t, testenv.Postgres15), driver) })
	}
	for _, server := range []string{testenv.MySQL80, testenv.MariaDB} {
		t.Run(server, func(t *testing.T) { f(t, testenv.Database(t, server), "") })
	}
}

func TestATransactionChangesRowsAndWritesEventsOnEveryDatabase(t *testing.T) {
	eachDatabase(t, func(t *testing.T, address, driver string) {
		ctx := t.Context()
		scratch := NewScratch("outbox_test", "")
		h := open(t, address, Options{Driver: driver, Tables: scratch.Tables, Create: true})
		if err := h.Schema.Migrate(ctx); err != nil {
			t.Fatal(err)
		}
		orders := h.Table(scratch.Name("orders"))
		if err := h.Exec(ctx, "CREATE TABLE "+orders+" (id VARCHAR(36) PRIMARY KEY, cents BIGINT NOT NULL)"); err != nil {
			t.Fatal(err)
		}
		w := h.Writer()
		place := func(id string, fail error) error {
			return w.InTx(ctx, func(ctx context.Context, tx Tx) error {
				if err := tx.Exec(ctx, "INSERT INTO "+orders+" (id, cents) VALUES (?, ?)", id, int64(995)); err != nil {
					return err
				}
				if err := tx.Write(ctx, outbox.Event{Type: "OrderPlaced", JSON: []byte(`{}`)}, outbox.Event{Type: "OrderPaid", JSON: []byte(`{}`)}); err != nil {
					return err
				}
				return fail
			})
		}
		if err := place("a", nil); err != nil {
			t.Fatal(err)
		}
		broken := errors.New("no")
		if err := place("b", broken); !errors.Is(err, broken) {
			t.Fatal(err)
		}
		for query, want := range map[string]string{
			"SELECT count(*) FROM " + orders:                        "1",
			"SELECT count(*) FROM " + h.Table(scratch.Tables.Event): "2",
		} {
			if got, err := h.Text(ctx, query); got != want || err != nil {
				t.Errorf("%s is %q, %v; want %s", query, got, err, want)
			}
		}
		if name := h.Name(ctx); !strings.ContainsAny(name, "0123456789") {
			t.Errorf("the name %q has no version", name)
		}
		if err := h.DropOutbox(ctx); err != nil {
			t.Error(err)
		}
		names := scratch.Tables
		for _, table := range []string{names.Event, names.DeadLetter, names.Control, names.Instance, names.Consumed, names.Audit, names.Alert, names.Job, names.Version, "outbox_consumed_event"} {
			if _, err := h.Text(ctx, "SELECT count(*) FROM "+h.Table(table)); err == nil {
				t.Errorf("the table %s is still there", table)
			}
		}
	})
}

func TestScratchHasANameOfItsOwnForEveryTable(t *testing.T) {
	tables := reflect.ValueOf(NewScratch("outbox_test", "app").Tables)
	for i := range tables.NumField() {
		field := tables.Type().Field(i).Name
		if name := tables.Field(i).String(); field != "Schema" && !strings.HasPrefix(name, "outbox_test_") {
			t.Errorf("the table %s has the name %q", field, name)
		}
	}
}

func TestMissingTablesAreASchemaProblem(t *testing.T) {
	eachDatabase(t, func(t *testing.T, address, driver string) {
		h := open(t, address, Options{Driver: driver, Create: true})
		_, err := h.Store.Stats(t.Context())
		err = h.Problem("look", err)
		var p *Problem
		if !errors.As(err, &p) || p.Kind != Schema || !strings.Contains(err.Error(), "outbox migrate up") {
			t.Errorf("got %v", err)
		}
	})
}

func TestDropOutboxRefusesTheDefaultNames(t *testing.T) {
	h := open(t, "sqlite://"+filepath.ToSlash(filepath.Join(t.TempDir(), "shop.db")), Options{Create: true})
	if err := h.Schema.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := h.DropOutbox(t.Context()); err == nil {
		t.Error("it would drop somebody's outbox")
	}
	if _, err := h.Store.Stats(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestANameIsTheSameTableInAnyStatementWhateverItsCase(t *testing.T) {
	eachDatabase(t, func(t *testing.T, address, driver string) {
		ctx := t.Context()
		tables := NewScratch("outbox_test", "").Tables
		tables.Consumed = "ConsumedIds"
		h := open(t, address, Options{Driver: driver, Tables: tables, Create: true})
		if err := h.Schema.Migrate(ctx); err != nil {
			t.Fatal(err)
		}
		names := []string{"ConsumedIds"}
		if schema := h.driver.Dialect().DefaultSchema; schema != "" {
			names = append(names, schema+".ConsumedIds")
		}
		for _, name := range names {
			if got, err := h.Text(ctx, "SELECT count(*) FROM "+h.Table(name)); err != nil || got != "0" {
				t.Errorf("%s: %s, %v", name, got, err)
			}
		}
		if err := h.Exec(ctx, "CREATE TABLE "+h.Table("order")+" (id INT)"); err != nil {
			t.Errorf("a table whose name is a word of SQL: %v", err)
		}
	})
}
