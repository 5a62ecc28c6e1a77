package pgstore_test

import (
	"context"
	"database/sql"
	"log"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/store/pgstore"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// An order and the event about it are stored together, or not at all.
func Example() {
	ctx := context.Background()
	db, err := sql.Open("pgx", "postgres://localhost/shop")
	if err != nil {
		log.Panic(err)
	}
	store, err := pgstore.New(db, pgstore.Config{})
	if err != nil {
		log.Panic(err)
	}
	if err := store.Migrate(ctx); err != nil {
		log.Panic(err)
	}
	w := outbox.NewWriter(store)
	err = w.InTx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "INSERT INTO orders (id) VALUES ($1)", "4711"); err != nil {
			return err
		}
		_, err := w.Write(ctx, tx, outbox.Event{Type: "OrderPlaced", JSON: []byte(`{"id":"4711"}`)})
		return err
	})
	if err != nil {
		log.Panic(err)
	}
}

// A second outbox, in a schema of its own.
func ExampleNew() {
	db, err := sql.Open("pgx", "postgres://localhost/shop")
	if err != nil {
		log.Panic(err)
	}
	store, err := pgstore.New(db, sqlstore.Config{Tables: sqlstore.Tables{Schema: "billing"}})
	if err != nil {
		log.Panic(err)
	}
	_ = outbox.NewWriter(store)
}
