package pgxstore_test

import (
	"context"
	"log"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/pgxstore"
)

// An event is written in the transaction that changes the application's rows.
func Example() {
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, "postgres://shop@localhost/shop")
	if err != nil {
		log.Fatal(err)
	}
	defer pool.Close()
	store, err := pgxstore.New(pool, pgxstore.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()
	if err := store.Migrate(ctx); err != nil {
		log.Fatal(err)
	}
	w := outbox.NewWriter(store) // with r.HotPath() of a relay, delivery follows the commit at once

	err = w.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "INSERT INTO orders (id) VALUES ($1)", 4711); err != nil {
			return err
		}
		_, err := w.Write(ctx, tx, outbox.Event{Type: "OrderPlaced", AggregateType: "Order", AggregateID: "4711", JSON: []byte(`{"id":4711}`)})
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
}

// The caller may begin and end the transaction as it always did.
func Example_ownTransaction() {
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, "postgres://shop@localhost/shop")
	if err != nil {
		log.Fatal(err)
	}
	defer pool.Close()
	store, err := pgxstore.New(pool, pgxstore.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()
	w := outbox.NewWriter(store)

	place := func(ctx context.Context) error {
		ctx, done := w.Track(ctx)
		tx, err := pool.Begin(ctx)
		if err != nil {
			return err
		}
		defer func() { _ = tx.Rollback(ctx) }() // does nothing after a commit
		if _, err := w.Write(ctx, tx, outbox.Event{Type: "OrderPlaced", JSON: []byte(`{"id":4711}`)}); err != nil {
			return err
		}
		return done(tx.Commit(ctx))
	}
	if err := place(ctx); err != nil {
		log.Fatal(err)
	}
}

// Behind a pooler the pool sends no named statements, and LISTEN bypasses it.
func Example_pooler() {
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, "postgres://shop@pgbouncer:6432/shop?default_query_exec_mode=exec")
	if err != nil {
		log.Fatal(err)
	}
	defer pool.Close()
	store, err := pgxstore.New(pool, pgxstore.Config{RelayConns: 2})
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()

	direct, err := pgx.ParseConfig("postgres://shop@postgres:5432/shop")
	if err != nil {
		log.Fatal(err)
	}
	var wakers []driver.Waker // for relay.Config.Wakers
	wakers = append(wakers, store.Waker(direct))
	log.Print(len(wakers), " source of wake-ups")
}
