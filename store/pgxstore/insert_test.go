package pgxstore_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/pgstore"
	"github.com/sendoff-go/outbox/store/pgxstore"
)

func TestMissingTablesLeaveTheTransactionAsItWas(t *testing.T) {
	pool := openPool(t, testenv.Database(t, testenv.Postgres15), "")
	store := openStore(t, pool, pgxstore.Config{})
	exec(t, pool, "CREATE TABLE business (n int)")
	w := outbox.NewWriter[pgx.Tx](store, nil)
	tx, err := pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(t.Context(), tx, event("a")); !errors.Is(err, outbox.ErrSchema) || !strings.Contains(err.Error(), "migrate up") {
		t.Errorf("error %v, expected ErrSchema and what to do", err)
	}
	if _, err := tx.Exec(t.Context(), "INSERT INTO business VALUES (1)"); err != nil {
		t.Errorf("the transaction is broken: %v", err)
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Error(err)
	}
	migrate(t, store)
	write(t, store, event("a"))
}

func TestTablesOfAnOlderVersionAreRefused(t *testing.T) {
	store, pool := open(t)
	exec(t, pool, "UPDATE outbox_schema SET version = version - 1000")
	tx, err := pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(t.Context()) }()
	w := outbox.NewWriter[pgx.Tx](store, nil)
	if _, err := w.Write(t.Context(), tx, event("a")); !errors.Is(err, outbox.ErrSchema) || !strings.Contains(err.Error(), "this program needs") {
		t.Errorf("error %v, expected ErrSchema with both versions", err)
	}
}

func TestAWriterNeedsNoRightToReadTheVersion(t *testing.T) {
	store, pool := open(t)
	role := pool.Config().ConnConfig.Database // a name of this test alone
	exec(t, pool, `CREATE ROLE `+role+`; GRANT INSERT, SELECT ON outbox_event TO `+role)
	defer exec(t, pool, `DROP OWNED BY `+role+`; DROP ROLE `+role)
	tx, err := pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(t.Context()) }()
	if _, err := tx.Exec(t.Context(), "SET LOCAL ROLE "+role); err != nil {
		t.Fatal(err)
	}
	w := outbox.NewWriter[pgx.Tx](store, nil)
	if _, err := w.Write(t.Context(), tx, event("a")); err != nil {
		t.Error(err)
	}
}

func TestNoTransactionIsRefusedWhateverItLooksLike(t *testing.T) {
	store, _ := open(t)
	w := outbox.NewWriter[pgx.Tx](store, nil)
	for name, tx := range map[string]pgx.Tx{"nil": nil, "a nil pointer": (*pgxpool.Tx)(nil)} {
		if _, err := w.Write(t.Context(), tx, event("a")); !errors.Is(err, outbox.ErrNoTransaction) {
			t.Errorf("%s: error %v, expected ErrNoTransaction", name, err)
		}
	}
}

func TestAViewIsWrittenAndProvesNothing(t *testing.T) {
	_, pool := open(t)
	exec(t, pool, "CREATE VIEW events AS SELECT * FROM outbox_event")
	store := openStore(t, pool, pgxstore.Config{Tables: pgstore.Tables{Event: "events"}})
	tx, err := pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	answers, err := store.Insert(t.Context(), tx, outbox.InsertRequest{Events: []outbox.Event{event("a"), event("b")}})
	if err != nil || len(answers) != 2 || answers[0].Seq == 0 || answers[1].Seq <= answers[0].Seq || answers[0].TopLevel || answers[1].TopLevel {
		t.Errorf("answers %+v, error %v: expected two rows, none of them proved", answers, err)
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	claim(t, store, driver.NewOwner("a"), 2)
}

func TestInvalidNamesAreRefused(t *testing.T) {
	pool := openPool(t, "postgres://nobody@127.0.0.1:1/none", "")
	for _, tables := range []pgstore.Tables{{Event: "a b"}, {Schema: `x"`}, {Event: "a.b.c"}, {Event: "same", DeadLetter: "same"}} {
		if _, err := pgxstore.New(pool, pgxstore.Config{Tables: tables}); !errors.Is(err, driver.ErrName) {
			t.Errorf("%+v: error %v, expected ErrName", tables, err)
		}
	}
}
