package main

import (
	"context"
	"database/sql"

	"github.com/jackc/pgx/v5"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/store/pgxstore"
)

// The application: each transaction inserts one row of it.
const (
	ordersTable = `CREATE TABLE IF NOT EXISTS orders (
		id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, customer text NOT NULL, amount bigint NOT NULL,
		placed_at timestamptz NOT NULL DEFAULT now())`
	insertOrder = "INSERT INTO orders (customer, amount) VALUES ($1, $2)"
)

// freshOrders recreates the application's table and ours, both empty.
func (e *env) freshOrders(ctx context.Context) error {
	if err := e.exec(ctx, ordersTable, "TRUNCATE orders"); err != nil {
		return err
	}
	return e.fresh(ctx, 0)
}

// ordersPgx recreates the tables and opens a pgxstore on them.
func (e *env) ordersPgx(ctx context.Context) (*pgxstore.Store, func(), error) {
	if err := e.freshOrders(ctx); err != nil {
		return nil, nil, err
	}
	return openPgx(ctx, e.url, defaultSchema)
}

// orderPlaced is the event of order n.
func orderPlaced(n int) outbox.Event {
	return outbox.Event{
		Type: eventType, AggregateType: "Order", AggregateID: aggregate(n), JSON: []byte(payload(n)),
	}
}

// placePgx places order n in one transaction with its event.
func placePgx(w *outbox.Writer[pgx.Tx]) func(ctx context.Context, n int) error {
	return func(ctx context.Context, n int) error {
		return w.InTx(withNumber(ctx, n), func(ctx context.Context, tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, insertOrder, "customer", n); err != nil {
				return err
			}
			_, err := w.Write(ctx, tx, orderPlaced(n))
			return err
		})
	}
}

// placeSQL does the same through database/sql. Order inserts the application's
// row of a number.
func placeSQL(w *outbox.Writer[*sql.Tx], order func(ctx context.Context, tx *sql.Tx, n int) error) placer {
	return func(ctx context.Context, n int) error {
		return w.InTx(withNumber(ctx, n), func(ctx context.Context, tx *sql.Tx) error {
			if err := order(ctx, tx, n); err != nil {
				return err
			}
			_, err := w.Write(ctx, tx, orderPlaced(n))
			return err
		})
	}
}

// orderText sends a statement's text, which the driver of a server keeps
// prepared.
func orderText(ctx context.Context, tx *sql.Tx, n int) error {
	_, err := tx.ExecContext(ctx, insertOrder, "customer", n)
	return err
}
