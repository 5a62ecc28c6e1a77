package gettingstarted_test

import (
	"context"
	"database/sql"
	"fmt"

	_ "modernc.org/sqlite" // registers the driver "sqlite"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/examples/internal/scratch"
	"github.com/sendoff-go/outbox/inbox"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/sink/memsink"
	"github.com/sendoff-go/outbox/store/sqlitestore"
)

type Order struct {
	ID    string `json:"id"`
	Total int    `json:"total"`
}

var OrderPlaced = outbox.Define[Order]("Order", "OrderPlaced")

// A plain write. The transaction is an ordinary one.
func cancelOrder(ctx context.Context, db *sql.DB, w *outbox.Writer[*sql.Tx], id string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `DELETE FROM orders WHERE id = ?`, id); err != nil {
		return err
	}
	if _, err := w.Write(ctx, tx, outbox.Event{
		Type: "OrderCancelled", AggregateType: "Order", AggregateID: id, JSON: []byte(`{}`),
	}); err != nil {
		return err
	}
	return tx.Commit()
}

// InTx begins, commits and rolls back, so it knows how the transaction ended.
func placeOrder(ctx context.Context, w *outbox.Writer[*sql.Tx], o Order) error {
	return w.InTx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `INSERT INTO orders (id, total) VALUES (?, ?)`, o.ID, o.Total); err != nil {
			return err
		}
		_, err := w.Write(ctx, tx, OrderPlaced.New(o.ID, o))
		return err
	})
}

// Track watches a transaction that the caller begins and ends.
func shipOrder(ctx context.Context, db *sql.DB, w *outbox.Writer[*sql.Tx], id string) error {
	ctx, done := w.Track(ctx)        // write with this context
	defer done(outbox.ErrRolledBack) // every path but the last; only the first call counts
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `UPDATE orders SET shipped = 1 WHERE id = ?`, id); err != nil {
		return err
	}
	if _, err := w.Write(ctx, tx, outbox.Event{
		Type: "OrderShipped", AggregateType: "Order", AggregateID: id, JSON: []byte(`{}`),
	}); err != nil {
		return err
	}
	return done(tx.Commit())
}

func run(ctx context.Context, path string) error {
	db, err := sqlitestore.Open("sqlite", path)
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, `CREATE TABLE orders (id TEXT PRIMARY KEY, total INTEGER, shipped INTEGER)`); err != nil {
		return err
	}
	if _, err := db.ExecContext(ctx, `CREATE TABLE invoices (order_id TEXT)`); err != nil {
		return err
	}

	store, err := sqlitestore.New(db, sqlitestore.Config{})
	if err != nil {
		return err
	}
	if err := store.Migrate(ctx); err != nil {
		return err
	}

	reg := outbox.NewRegistry()
	OrderPlaced.Handle(reg, func(ctx context.Context, e outbox.Event, o Order) error {
		fmt.Printf("order %s was placed, %d to pay\n", o.ID, o.Total)
		return nil
	})
	reg.Handle("OrderCancelled", func(ctx context.Context, e outbox.Event) error {
		fmt.Printf("order %s was cancelled\n", e.AggregateID)
		return nil
	})

	sink, err := memsink.New(memsink.Config{Capacity: 100})
	if err != nil {
		return err
	}
	reg.Route("OrderShipped", sink, outbox.To("orders"))

	r, err := relay.New(store, reg, relay.Config{})
	if err != nil {
		return err
	}
	w := outbox.NewWriter(store, r.HotPath())

	ctx, stop := context.WithCancel(ctx)
	defer stop()
	finished := make(chan error, 1)
	go func() { finished <- r.Run(ctx) }()

	if err := placeOrder(ctx, w, Order{ID: "4711", Total: 12}); err != nil {
		return err
	}
	if err := shipOrder(ctx, db, w, "4711"); err != nil {
		return err
	}

	consumer, err := inbox.New(store, inbox.Config{Group: "billing"})
	if err != nil {
		return err
	}
	receive := func(message outbox.Received) error {
		return consumer.Consume(ctx, message, func(ctx context.Context, tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, `INSERT INTO invoices (order_id) VALUES (?)`, message.Headers[outbox.HeaderAggregateID])
			return err
		})
	}
	message := memsink.Message(<-sink.Messages())
	for range 2 { // a broker may deliver it twice
		if err := receive(message); err != nil {
			return err
		}
	}
	var invoices int
	if err := db.QueryRowContext(ctx, `SELECT count(*) FROM invoices`).Scan(&invoices); err != nil {
		return err
	}
	fmt.Printf("%d invoice for 2 deliveries\n", invoices)

	stop()
	if err := <-finished; err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	if err := cancelOrder(ctx, db, w, "4711"); err != nil {
		return err
	}
	_, err = r.RunOnce(ctx) // what is due, and then it returns
	return err
}

func Example() {
	scratch.Run(run)
	// Output:
	// order 4711 was placed, 12 to pay
	// 1 invoice for 2 deliveries
	// order 4711 was cancelled
}
