// Command readme is the program of the README: its snippets are lines of this
// file, and a test runs it.
package main

import (
	"context"
	"database/sql"
	"fmt"
	"log"
	"os"
	"os/signal"

	_ "modernc.org/sqlite" // registers the driver "sqlite"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/sqlitestore"
)

func placeOrder(ctx context.Context, db *sql.DB, w *outbox.Writer[*sql.Tx], id string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `INSERT INTO orders (id) VALUES (?)`, id); err != nil {
		return err
	}
	event := outbox.Event{Type: "OrderPlaced", AggregateType: "Order", AggregateID: id, JSON: []byte(`{"total":12}`)}
	if _, err := w.Write(ctx, tx, event); err != nil {
		return err
	}
	return tx.Commit()
}

func run(ctx context.Context, path string, onOrderPlaced outbox.Listener) error {
	db, err := sqlitestore.Open("sqlite", path) // in WAL mode, with one connection, as SQLite wants it
	if err != nil {
		return err
	}
	defer db.Close()
	store, err := sqlitestore.New(db, sqlitestore.Config{}) // or pgstore, pgxstore, mysqlstore
	if err != nil {
		return err
	}
	if err := store.Migrate(ctx); err != nil {
		return err
	}
	reg := outbox.NewRegistry()
	reg.Handle("OrderPlaced", onOrderPlaced) // an error is retried; after 25 attempts the event is a dead letter
	r, err := relay.New(store, reg, relay.Config{})
	if err != nil {
		return err
	}
	w := outbox.NewWriter(store, r.HotPath())

	if _, err := db.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY)`); err != nil {
		return err
	}
	if err := placeOrder(ctx, db, w, outbox.NewID()); err != nil {
		return err
	}
	return r.Run(ctx) // delivers until ctx is done
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, "shop.db", func(_ context.Context, e outbox.Event) error {
		fmt.Println("delivered:", e.Type, string(e.JSON))
		return nil
	})
	if err != nil {
		log.Print(err)
	}
}
