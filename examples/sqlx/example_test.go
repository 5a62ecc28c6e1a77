package sqlx_test

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/jmoiron/sqlx"
	_ "modernc.org/sqlite" // registers the driver "sqlite"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/examples/internal/scratch"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/sqlitestore"
)

// Order is a row of the table orders.
type Order struct {
	ID    string `db:"id"`
	Total int    `db:"total"`
}

var orderPlaced = outbox.Define[Order]("Order", "OrderPlaced")

func placeOrder(ctx context.Context, db *sqlx.DB, w *outbox.Writer[*sql.Tx], o Order) error {
	ctx, done := w.Track(ctx)        // write with this context
	defer done(outbox.ErrRolledBack) // on every path but the last; the first call counts
	tx, err := db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after the commit

	if _, err := tx.NamedExecContext(ctx, `INSERT INTO orders (id, total) VALUES (:id, :total)`, o); err != nil {
		return err
	}
	if _, err := w.Write(ctx, tx.Tx, orderPlaced.New(o.ID, o)); err != nil {
		return err
	}
	return done(tx.Commit()) // nil: the relay delivers at once
}

func run(ctx context.Context, path string) error {
	sqlDB, err := sqlitestore.Open("sqlite", path)
	if err != nil {
		return err
	}
	defer func() { _ = sqlDB.Close() }()
	store, err := sqlitestore.New(sqlDB, sqlitestore.Config{})
	if err != nil {
		return err
	}
	if err := store.Migrate(ctx); err != nil {
		return err
	}

	db := sqlx.NewDb(sqlDB, "sqlite")
	if _, err := db.ExecContext(ctx, `CREATE TABLE orders (id TEXT PRIMARY KEY, total INTEGER NOT NULL)`); err != nil {
		return err
	}

	received := make(chan outbox.Event, 2)
	reg := outbox.NewRegistry()
	reg.Handle("OrderPlaced", func(_ context.Context, e outbox.Event) error {
		received <- e
		return nil
	})
	r, err := relay.New(store, reg, relay.Config{})
	if err != nil {
		return err
	}
	w := outbox.NewWriter(store, r.HotPath())

	ctx, stop := context.WithCancel(ctx)
	defer stop()
	finished := make(chan error, 1)
	go func() { finished <- r.Run(ctx) }()

	if err := placeOrder(ctx, db, w, Order{ID: "4711", Total: 12}); err != nil {
		return err
	}
	e := <-received
	fmt.Println("delivered:", e.AggregateID, string(e.JSON))

	stop()
	return <-finished
}

func Example() {
	scratch.Run(run)
	// Output:
	// delivered: 4711 {"ID":"4711","Total":12}
}
